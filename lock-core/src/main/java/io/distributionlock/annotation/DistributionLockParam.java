package io.distributionlock.annotation;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.core.annotation.AliasFor;

/**
 * Adds a value to the lock's name.
 *
 * <p>On a parameter: the argument, or the property at its {@link #path()}. If there is no path and the argument's class has
 * annotated members, these are the parts instead. On a field, a getter or a record component: that member of an argument of a
 * locked method, even if the parameter itself is not annotated. Inherited and nested members count too.
 *
 * <p>Parts are sorted by {@link #order()}, then by the position of their parameter. Members of an object likewise, those of its
 * superclasses first.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({
    ElementType.PARAMETER,
    ElementType.FIELD,
    ElementType.METHOD,
    ElementType.RECORD_COMPONENT,
    ElementType.ANNOTATION_TYPE
})
public @interface DistributionLockParam {

    /** For {@link #nullValue()}: a {@code null} fails the call. */
    String NULL_IS_AN_ERROR = "\0error";

    /** For {@link #nullValue()}: a {@code null} is left out of the name. */
    String SKIP_NULL = "\0skip";

    /** The same as {@link #path()}. */
    @AliasFor("path")
    String value() default "";

    /** The property to use instead of the value itself, such as {@code "customer.id"}. */
    @AliasFor("value")
    String path() default "";

    /** The position among the parts: smaller first. */
    int order() default 0;

    /**
     * What a {@code null} means: {@link #NULL_IS_AN_ERROR}, {@link #SKIP_NULL}, or a constant that replaces it in the name.
     */
    String nullValue() default NULL_IS_AN_ERROR;

    /**
     * Whether each element of a collection or array has a lock of its own. They are acquired in the order of their names, all or
     * none, within one waiting time. Equal elements count once.
     */
    boolean each() default false;

    /** With {@link #each()}: whether the method runs without a lock if there are no elements. Otherwise that is an error. */
    boolean allowEmpty() default false;
}
