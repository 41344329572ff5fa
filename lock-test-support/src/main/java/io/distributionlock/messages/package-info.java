/**
 * Rules for what the library says, and who holds them against it.
 */
@NullMarked
package io.distributionlock.messages;

import org.jspecify.annotations.NullMarked;
