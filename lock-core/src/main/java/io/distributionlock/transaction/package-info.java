/**
 * Keeps locks until the surrounding transaction ends, and checks them before it commits.
 */
@NullMarked
package io.distributionlock.transaction;

import org.jspecify.annotations.NullMarked;
