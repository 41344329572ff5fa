package io.distributionlock.annotation;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Fills a parameter of type {@code long} or {@code Long} with the fencing token of the lock when the caller passes 0 or
 * {@code null}. Hand it on to the guarded resource, which refuses a smaller number than it has seen.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.PARAMETER)
public @interface FencingToken {}
