package io.distributionlock.playground.timeline;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Draws each run of the method on the page. It does nothing else, so leave it out when you copy the code.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface Shown {

    /** The label of the bar. */
    String value();

    /** How many of the first arguments name things that only one call may work on at a time. */
    int things() default 1;

    /** Whether calls may overlap because they only read. */
    boolean shared() default false;
}
