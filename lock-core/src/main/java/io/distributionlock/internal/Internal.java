package io.distributionlock.internal;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a type that is public only because another package of this library uses it. It is not part of the API: it may change or
 * disappear in any release.
 *
 * @hidden
 */
@Internal
@Documented
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.CLASS)
public @interface Internal {}
