/**
 * What Spring Boot registers, and how misconfiguration is explained.
 */
@NullMarked
package io.distributionlock.autoconfigure;

import org.jspecify.annotations.NullMarked;
