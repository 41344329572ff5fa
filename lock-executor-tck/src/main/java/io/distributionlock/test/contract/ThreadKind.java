package io.distributionlock.test.contract;

import java.lang.reflect.Method;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ThreadFactory;

/** The kinds of threads that callers of a lock run on. */
enum ThreadKind {
    PLATFORM {
        @Override
        ThreadFactory factory() {
            return work -> {
                Thread thread = new Thread(work, "contract");
                thread.setDaemon(true);
                return thread;
            };
        }
    },
    VIRTUAL {
        @Override
        ThreadFactory factory() {
            try {
                Object builder = Thread.class.getMethod("ofVirtual").invoke(null);
                Method factory = Class.forName("java.lang.Thread$Builder").getMethod("factory");
                return (ThreadFactory) factory.invoke(builder);
            } catch (ReflectiveOperationException e) {
                throw new IllegalStateException("This JDK has no virtual threads.", e);
            }
        }
    };

    private static final int FIRST_JDK_WITH_VIRTUAL_THREADS = 21;

    /** The kinds that this JDK has. */
    static List<ThreadKind> available() {
        return Runtime.version().feature() >= FIRST_JDK_WITH_VIRTUAL_THREADS
                ? List.of(PLATFORM, VIRTUAL)
                : List.of(PLATFORM);
    }

    static ThreadKind ofCurrentThread() {
        return available().contains(VIRTUAL) && isVirtual(Thread.currentThread()) ? VIRTUAL : PLATFORM;
    }

    private static boolean isVirtual(Thread thread) {
        try {
            return (boolean) Thread.class.getMethod("isVirtual").invoke(thread);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("Thread.isVirtual() cannot be called.", e);
        }
    }

    abstract ThreadFactory factory();

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT) + " threads";
    }
}
