package io.distributionlock.test;

import java.util.List;
import org.assertj.core.api.AbstractAssert;

/** Assertions about a {@link ScriptedLockExecutor}. */
public final class ScriptedLockExecutorAssert extends AbstractAssert<ScriptedLockExecutorAssert, ScriptedLockExecutor> {

    ScriptedLockExecutorAssert(ScriptedLockExecutor executor) {
        super(executor, ScriptedLockExecutorAssert.class);
    }

    /** These locks were asked for, each so often as it is named, in this order, and no other. */
    public ScriptedLockExecutorAssert wasAskedFor(String... names) {
        isNotNull();
        if (!actual.names().equals(List.of(names))) {
            failWithMessage(
                    "Expected these locks to be asked for: %s, but they were: %s.", List.of(names), actual.names());
        }
        return this;
    }

    /** No lock was asked for. */
    public ScriptedLockExecutorAssert wasNotAsked() {
        return wasAskedFor();
    }

    /** Nobody holds the lock of this name. */
    public ScriptedLockExecutorAssert isFree(String name) {
        isNotNull();
        if (actual.isLocked(name).join()) {
            failWithMessage("Expected lock '%s' to be free, but it is held.", name);
        }
        return this;
    }

    /** Somebody holds the lock of this name. */
    public ScriptedLockExecutorAssert isHeld(String name) {
        isNotNull();
        if (!actual.isLocked(name).join()) {
            failWithMessage("Expected lock '%s' to be held, but it is free.", name);
        }
        return this;
    }
}
