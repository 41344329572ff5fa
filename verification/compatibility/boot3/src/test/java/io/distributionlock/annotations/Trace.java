package io.distributionlock.annotations;

import io.distributionlock.testing.LockContextRunner;
import io.distributionlock.testing.ScriptedLockExecutor;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** What happens in an application, in order: to its locks, in the advice beside them, in its methods. */
final class Trace {

    /** Puts the locks inside of Spring Security, whose orders end at 600, and of what the application puts before 1000. */
    static final String LATER = "distribution-lock.advice.order=1000";

    private final List<String> steps = new CopyOnWriteArrayList<>();
    private final ScriptedLockExecutor locks = new ScriptedLockExecutor(steps);

    /** An application with these beans, which may have the trace injected. */
    ApplicationContextRunner application(Class<?>... beans) {
        return LockContextRunner.with(locks, beans).withBean(Trace.class, () -> this);
    }

    /** Where its locks are kept. */
    ScriptedLockExecutor locks() {
        return locks;
    }

    void add(String step) {
        steps.add(step);
    }

    List<String> steps() {
        return steps;
    }

    /** The steps since the last time. */
    List<String> next() {
        List<String> taken = List.copyOf(steps);
        steps.clear();
        return taken;
    }
}
