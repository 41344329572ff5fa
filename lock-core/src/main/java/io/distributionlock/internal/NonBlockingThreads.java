package io.distributionlock.internal;

import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;

/** Recognises threads that must never block, without a dependency on the libraries that create them. */
final class NonBlockingThreads {

    private static final String REACTOR = "reactor.core.scheduler.NonBlocking";
    private static final String NETTY = "io.netty.util.concurrent.FastThreadLocalThread";

    private static final ClassValue<Kind> KINDS = new ClassValue<>() {
        @Override
        protected Kind computeValue(Class<?> type) {
            return kindOf(type);
        }
    };

    private NonBlockingThreads() {}

    static boolean isOne(Thread thread) {
        Class<?> type = thread.getClass();
        if (type == Thread.class) {
            return false;
        }
        Kind kind = KINDS.get(type);
        return kind == Kind.FORBIDDEN || (kind == Kind.OF_NETTY && Netty.runsEventLoop());
    }

    private enum Kind {
        ORDINARY,
        OF_NETTY,
        FORBIDDEN
    }

    private static Kind kindOf(Class<?> type) {
        Kind kind = Kind.ORDINARY;
        for (Class<?> each = type; each != null; each = each.getSuperclass()) {
            for (Class<?> trait : each.getInterfaces()) {
                if (trait.getName().equals(REACTOR)) {
                    return Kind.FORBIDDEN;
                }
            }
            if (each.getName().equals(NETTY)) {
                kind = Kind.OF_NETTY;
            }
        }
        return kind;
    }

    /** Netty's threads also run pools for blocking work; only Netty knows whether the current thread runs an event loop. */
    private static final class Netty {

        private static final @Nullable Class<?> EVENT_LOOP = find("io.netty.channel.EventLoop");
        private static final @Nullable Method CURRENT = currentExecutor();

        static boolean runsEventLoop() {
            if (CURRENT == null || EVENT_LOOP == null) {
                return false;
            }
            try {
                return EVENT_LOOP.isInstance(CURRENT.invoke(null));
            } catch (ReflectiveOperationException e) {
                return false;
            }
        }

        private static @Nullable Method currentExecutor() {
            try {
                return Class.forName("io.netty.util.internal.ThreadExecutorMap").getMethod("currentExecutor");
            } catch (ReflectiveOperationException | LinkageError e) {
                return null;
            }
        }

        private static @Nullable Class<?> find(String name) {
            try {
                return Class.forName(name);
            } catch (ReflectiveOperationException | LinkageError e) {
                return null;
            }
        }
    }
}
