package io.distributionlock.interceptor;

import io.micrometer.context.ContextRegistry;
import io.micrometer.context.ContextSnapshot;
import io.micrometer.context.ContextSnapshotFactory;
import io.micrometer.context.integration.Slf4jThreadLocalAccessor;
import java.util.concurrent.Executor;
import org.springframework.context.i18n.LocaleContextThreadLocalAccessor;
import org.springframework.util.ClassUtils;
import org.springframework.web.context.request.RequestAttributesThreadLocalAccessor;

/**
 * What a thread knows of the call that it serves, such as user, request and observation, for another thread that goes on with it.
 * Without Micrometer's context propagation nothing is taken along.
 */
@FunctionalInterface
interface CallerContext {

    /** Whether there is a context propagation. */
    boolean CAN_BE_CAPTURED = isPresent("io.micrometer.context.integration.Slf4jThreadLocalAccessor");

    /** What the current thread knows now. */
    static CallerContext captured() {
        return CAN_BE_CAPTURED ? Snapshots.captured() : () -> () -> {};
    }

    private static boolean isPresent(String type) {
        return ClassUtils.isPresent(type, CallerContext.class.getClassLoader());
    }

    /** Shows it to the current thread, instead of what that knows itself, until the scope is closed. */
    Scope restored();

    /** Runs tasks by the executor, and shows it to them. */
    default Executor on(Executor executor) {
        return task -> executor.execute(() -> {
            try (Scope ignored = restored()) {
                task.run();
            }
        });
    }

    /** While it is open, this thread has the context of another one. */
    interface Scope extends AutoCloseable {

        @Override
        void close();
    }

    /**
     * By Micrometer's context propagation. Not loaded without it.
     *
     * @param common what nobody registers there, although many applications have it
     * @param registered what Spring Security, Micrometer and the application register
     */
    record Snapshots(ContextSnapshot common, ContextSnapshot registered) implements CallerContext {

        private static final ContextSnapshotFactory COMMON = of(commonAccessors());
        private static final ContextSnapshotFactory REGISTERED = of(ContextRegistry.getInstance());

        static Snapshots captured() {
            return new Snapshots(COMMON.captureAll(), REGISTERED.captureAll());
        }

        private static ContextSnapshotFactory of(ContextRegistry accessors) {
            // What the caller does not know is hidden as well: a pooled thread may know another user.
            return ContextSnapshotFactory.builder()
                    .contextRegistry(accessors)
                    .clearMissing(true)
                    .build();
        }

        private static ContextRegistry commonAccessors() {
            ContextRegistry accessors = new ContextRegistry();
            accessors.registerThreadLocalAccessor(new LocaleContextThreadLocalAccessor());
            if (isPresent("org.slf4j.MDC")) {
                accessors.registerThreadLocalAccessor(new Slf4jThreadLocalAccessor());
            }
            if (isPresent("jakarta.servlet.ServletRequest")
                    && isPresent("org.springframework.web.context.request.RequestAttributesThreadLocalAccessor")) {
                accessors.registerThreadLocalAccessor(new RequestAttributesThreadLocalAccessor());
            }
            return accessors;
        }

        @Override
        public Scope restored() {
            ContextSnapshot.Scope outer = common.setThreadLocals();
            ContextSnapshot.Scope inner = registered.setThreadLocals();
            return () -> {
                inner.close();
                outer.close();
            };
        }
    }
}
