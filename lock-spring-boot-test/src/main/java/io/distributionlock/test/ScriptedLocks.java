package io.distributionlock.test;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Lets the test decide how attempts to take a lock end: the tested application gets a {@link ScriptedLockExecutor}, and the test
 * has it injected. Locks without a script are kept in this process, as by {@link LocalLocks}. After each test method the scripts
 * are forgotten.
 *
 * <p>Stands on a class with {@code @SpringBootTest} or any other annotation that starts a context, also with one that starts
 * a slice of the application: the locks and the advice around annotated methods come along.
 */
@Documented
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface ScriptedLocks {}
