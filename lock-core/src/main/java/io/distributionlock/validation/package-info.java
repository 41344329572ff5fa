/**
 * Checks the declarations of all beans at startup.
 */
@NullMarked
package io.distributionlock.validation;

import org.jspecify.annotations.NullMarked;
