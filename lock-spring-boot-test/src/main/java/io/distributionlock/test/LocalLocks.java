package io.distributionlock.test;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Keeps the locks of the tested application in this process, so that the test needs no Redis. They behave as those in Redis do, but
 * guard this process only. The same as {@code distribution-lock.executor=local} for one test class.
 *
 * <p>Stands on a class with {@code @SpringBootTest} or any other annotation that starts a context, also with one that starts
 * a slice of the application: the locks and the advice around annotated methods come along.
 */
@Documented
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface LocalLocks {}
