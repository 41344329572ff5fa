package io.distributionlock.annotation;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Passes the lock's fencing token to a parameter of type {@code long} or {@code Long}, whatever the caller passes; 0 or {@code null} if the
 * method runs without its lock. Send the token to the guarded resource with each write, so that the resource can refuse a smaller token than it has seen.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.PARAMETER)
public @interface FencingToken {}
