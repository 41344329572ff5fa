package io.distributionlock.redis;

import java.util.List;

/**
 * One encoded call of a script.
 *
 * @param script the script to run
 * @param keyCount how many of the parameters are keys
 * @param parameters the keys, the first of which determines the Cluster slot, then the arguments; must not be modified
 * @param undone called if a further run could admit more waiters; must not block
 */
record ScriptCall<T>(LockScript<T> script, int keyCount, List<byte[]> parameters, Runnable undone) {

    /** A call that never leaves anything undone. */
    ScriptCall(LockScript<T> script, int keyCount, List<byte[]> parameters) {
        this(script, keyCount, parameters, () -> {});
    }

    /** Parses an integer that the script answered with. */
    T meaningOf(long answer) {
        return script.meaningOf(answer, undone);
    }

    /** Parses a text that the script answered with. */
    T meaningOf(String answer) {
        return script.meaningOf(answer, undone);
    }
}
