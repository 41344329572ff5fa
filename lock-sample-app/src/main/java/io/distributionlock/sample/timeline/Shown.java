package io.distributionlock.sample.timeline;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Draws each run of the method on the page. It does nothing else, so leave it out of what you copy.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface Shown {

    /** What the bar is called. */
    String value();

    /** How many arguments, from the first on, name something that only one may work on at a time. */
    int things() default 1;

    /** Whether those who only read may be at it together. */
    boolean shared() default false;
}
