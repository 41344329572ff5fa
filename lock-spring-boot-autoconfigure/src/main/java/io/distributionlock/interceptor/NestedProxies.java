package io.distributionlock.interceptor;

import java.lang.reflect.Method;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.framework.AopProxyUtils;

/**
 * Keeps a call from being locked twice when its target is itself a proxy with the same advice: the outer proxy locks, and
 * announces the call to the inner one through a thread-local.
 */
final class NestedProxies {

    private static final ThreadLocal<@Nullable Passed> PASSED = new ThreadLocal<>();

    private NestedProxies() {}

    /** A call that an outer proxy has locked and that is on its way to an inner one. */
    private record Passed(Class<?> targetClass, Method method) {

        boolean matches(MethodInvocation invocation) {
            Object target = invocation.getThis();
            return target != null
                    && AopProxyUtils.ultimateTargetClass(target) == targetClass
                    && invocation.getMethod().getName().equals(method.getName())
                    && invocation.getMethod().getParameterCount() == method.getParameterCount();
        }
    }

    /** Whether an outer proxy has locked this very call. The announcement holds once: calls that the method makes are locked anew. */
    static boolean takesOver(MethodInvocation invocation) {
        Passed passed = PASSED.get();
        if (passed == null || !passed.matches(invocation)) {
            return false;
        }
        if (!(invocation.getThis() instanceof Advised)) {
            PASSED.remove();
        }
        return true;
    }

    /** Announces the call to proxies further in, if the target is one. */
    static boolean announce(MethodInvocation invocation) {
        Object target = invocation.getThis();
        if (!(target instanceof Advised)) {
            return false;
        }
        PASSED.set(new Passed(AopProxyUtils.ultimateTargetClass(target), invocation.getMethod()));
        return true;
    }

    static void withdraw() {
        PASSED.remove();
    }
}
