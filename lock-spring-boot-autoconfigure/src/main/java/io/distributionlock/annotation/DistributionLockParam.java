package io.distributionlock.annotation;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.core.annotation.AliasFor;

/**
 * Makes a value part of the lock's name.
 *
 * <p>On a parameter: the argument, or what its {@link #path()} leads to. If the class of the argument has marked members and
 * there is no path, these are the parts instead. On a field, a getter or a record component: that member of an argument of a
 * locked method, whether or not the parameter is marked itself; inherited and nested ones count too.
 *
 * <p>Parts stand in the order of {@link #order()}, and where that is the same, in the order of the parameters; the members of
 * an object likewise, those of its superclasses first.
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

    /** For {@link #nullValue()}: no lock name can be made of {@code null}, so the call fails. */
    String NULL_IS_AN_ERROR = "\0error";

    /** For {@link #nullValue()}: the part is left out of the name. */
    String SKIP_NULL = "\0skip";

    /** The same as {@link #path()}. */
    @AliasFor("path")
    String value() default "";

    /** The property to use instead of the value itself, such as {@code "customer.id"}. */
    @AliasFor("value")
    String path() default "";

    /** The place among the other parts; the smaller comes first. */
    int order() default 0;

    /**
     * What a {@code null} means: {@link #NULL_IS_AN_ERROR}, {@link #SKIP_NULL}, or a constant that stands for it in the name.
     */
    String nullValue() default NULL_IS_AN_ERROR;

    /**
     * Whether each element of a collection or array is locked on its own: all of them are taken in the order of their names,
     * within one waiting time, all or none. Equal elements count once.
     */
    boolean each() default false;

    /** With {@link #each()}: whether the method runs without a lock when there is no element. Otherwise that is an error. */
    boolean allowEmpty() default false;
}
