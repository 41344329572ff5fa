/**
 * What Spring Boot registers, the properties, and why an application does not start.
 */
@NullMarked
package io.distributionlock.autoconfigure;

import org.jspecify.annotations.NullMarked;
