package io.distributionlock.integration;

import io.distributionlock.DistributedLock;
import io.distributionlock.LockBackendException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.util.ClassUtils;

/**
 * A lock that confirms its hold with the backend when it is locked again. A leader of Spring Integration locks again at each
 * heartbeat, and detects a loss only by that.
 *
 * <p>A proxy, because the locks also implement Spring Integration's {@code DistributedLock}, which only version 7 has.
 */
record RegistryLock(DistributedLock lock) implements InvocationHandler {

    private static final ClassLoader CLASSES = RegistryLock.class.getClassLoader();

    /** This library's own interface comes first: what both declare is called as its method. */
    private static final Class<?>[] INTERFACES = Stream.of(
                    DistributedLock.class.getName(), "org.springframework.integration.support.locks.DistributedLock")
            .filter(name -> ClassUtils.isPresent(name, CLASSES))
            .map(name -> ClassUtils.resolveClassName(name, CLASSES))
            .toArray(Class<?>[]::new);

    static DistributedLock of(DistributedLock lock) {
        return (DistributedLock) Proxy.newProxyInstance(CLASSES, INTERFACES, new RegistryLock(lock));
    }

    @Override
    public @Nullable Object invoke(Object proxy, Method method, @Nullable Object @Nullable [] arguments)
            throws Throwable {
        String name = method.getName();
        if (name.equals("equals") && arguments != null) {
            return proxy == arguments[0];
        }
        if (name.startsWith("lock") || name.startsWith("tryLock")) {
            confirmIfHeld();
        }
        try {
            return method.invoke(lock, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    /** Detects a loss, after which the lock throws. */
    private void confirmIfHeld() {
        if (!lock.isHeldByCurrentThread()) {
            return;
        }
        long start = System.nanoTime();
        if (!lock.confirm() && lock.isHeldByCurrentThread()) {
            throw new LockBackendException(
                    lock.name(),
                    "Confirming",
                    Duration.ofNanos(System.nanoTime() - start),
                    new IllegalStateException("the backend did not confirm that the lock is still held"));
        }
    }
}
