package io.distributionlock.integration;

import io.distributionlock.DistributedLock;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import org.jspecify.annotations.Nullable;
import org.springframework.util.ClassUtils;

/**
 * Spring Integration 7 has an interface for distributed locks. This library is compiled against version 6, which does not; if the
 * interface is present, a proxy adds it to the locks.
 */
final class SpringIntegration7 {

    private static final String DISTRIBUTED_LOCK = "org.springframework.integration.support.locks.DistributedLock";

    /** The interfaces of such a lock, or {@code null} before Spring Integration 7. */
    private static final Class<?> @Nullable [] INTERFACES = interfaces(SpringIntegration7.class.getClassLoader());

    private SpringIntegration7() {}

    private static Class<?> @Nullable [] interfaces(@Nullable ClassLoader classLoader) {
        return ClassUtils.isPresent(DISTRIBUTED_LOCK, classLoader)
                ? new Class<?>[] {DistributedLock.class, ClassUtils.resolveClassName(DISTRIBUTED_LOCK, classLoader)}
                : null;
    }

    static DistributedLock adapt(DistributedLock lock) {
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

        /** This library's interface comes first and declares the same methods; only a later version could add others. */
        private static Method onLock(Method method) throws NoSuchMethodException {
            return method.getDeclaringClass().isAssignableFrom(DistributedLock.class)
                    ? method
                    : DistributedLock.class.getMethod(method.getName(), method.getParameterTypes());
        }
    }
}
