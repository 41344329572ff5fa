package io.distributionlock.integration;

import io.distributionlock.DistributedLock;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import org.jspecify.annotations.Nullable;
import org.springframework.util.ClassUtils;

/**
 * Since version 7 Spring Integration has an interface of its own for distributed locks. This library is compiled against version
 * 6, which has not, and one artifact cannot be compiled against twice: where the interface is there, the locks get it by a proxy.
 */
final class SpringIntegration7 {

    private static final String DISTRIBUTED_LOCK = "org.springframework.integration.support.locks.DistributedLock";

    /** What such a lock implements, or {@code null} if Spring Integration is older. */
    private static final Class<?> @Nullable [] INTERFACES = interfaces(SpringIntegration7.class.getClassLoader());

    private SpringIntegration7() {}

    private static Class<?> @Nullable [] interfaces(@Nullable ClassLoader classLoader) {
        return ClassUtils.isPresent(DISTRIBUTED_LOCK, classLoader)
                ? new Class<?>[] {DistributedLock.class, ClassUtils.resolveClassName(DISTRIBUTED_LOCK, classLoader)}
                : null;
    }

    static DistributedLock asItsOwn(DistributedLock lock) {
        return INTERFACES == null
                ? lock
                : (DistributedLock)
                        Proxy.newProxyInstance(SpringIntegration7.class.getClassLoader(), INTERFACES, new Calls(lock));
    }

    private record Calls(DistributedLock lock) implements InvocationHandler {

        @Override
        public @Nullable Object invoke(Object proxy, Method method, @Nullable Object @Nullable [] arguments)
                throws Throwable {
            if (method.getName().equals("equals") && arguments != null) {
                return proxy == arguments[0];
            }
            try {
                return onLock(method).invoke(lock, arguments);
            } catch (InvocationTargetException e) {
                throw e.getCause();
            }
        }

        /** The library's interface comes first and has the other one's methods: only another version could add some. */
        private static Method onLock(Method method) throws NoSuchMethodException {
            return method.getDeclaringClass().isAssignableFrom(DistributedLock.class)
                    ? method
                    : DistributedLock.class.getMethod(method.getName(), method.getParameterTypes());
        }
    }
}
