package io.distributionlock.interceptor;

import java.lang.reflect.Method;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.util.ClassUtils;

/**
 * Keeps a call from being locked twice when its target is itself a proxy with the same advice: the outer proxy locks, and
 * announces the call to the inner one through a thread-local.
 */
final class NestedProxies {

    private static final ThreadLocal<@Nullable Passed> PASSED = new ThreadLocal<>();

    private NestedProxies() {}

    /** A call that an outer proxy has locked and that is on its way to an inner one. */
    private record Passed(
            Object target, Method method, @Nullable Object[] arguments) {

        static Passed of(MethodInvocation invocation, Object target) {
            return new Passed(
                    target, invocation.getMethod(), invocation.getArguments().clone());
        }

        boolean matches(MethodInvocation invocation) {
            return invocation instanceof ProxyMethodInvocation proxied
                    && isOnTheWay(proxied.getProxy())
                    && invocation.getMethod().getName().equals(method.getName())
                    && areSame(invocation.getArguments());
        }

        /** Proxies without this advice may stand between the two. */
        private boolean isOnTheWay(Object proxy) {
            Object next = target;
            while (next != null && next != proxy) {
                next = AopProxyUtils.getSingletonTarget(next);
            }
            return next == proxy;
        }

        /** Other arguments may need other locks. */
        private boolean areSame(@Nullable Object[] others) {
            boolean same = others.length == arguments.length;
            for (int i = 0; same && i < arguments.length; i++) {
                same = isSame(arguments[i], others[i]);
            }
            return same;
        }

        /** A value of a primitive type is boxed anew at each proxy. */
        private static boolean isSame(@Nullable Object argument, @Nullable Object other) {
            return argument == other
                    || (argument != null
                            && ClassUtils.isPrimitiveWrapper(argument.getClass())
                            && argument.equals(other));
        }
    }

    /** Whether an outer proxy has locked this very call. The announcement holds once: calls that the method makes are locked anew. */
    static boolean takesOver(MethodInvocation invocation) {
        Passed passed = PASSED.get();
        if (passed == null || !passed.matches(invocation)) {
            return false;
        }
        if (!announce(invocation)) {
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
        PASSED.set(Passed.of(invocation, target));
        return true;
    }

    static void withdraw() {
        PASSED.remove();
    }
}
