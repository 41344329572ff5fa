/**
 * The auto-configuration for Spring Boot, and the explanations of misconfiguration.
 */
@NullMarked
package io.distributionlock.autoconfigure;

import org.jspecify.annotations.NullMarked;
