package io.distributionlock.redis;

import java.util.List;

/**
 * One run of a script, encoded.
 *
 * @param script what runs
 * @param keyCount how many of the parameters are keys
 * @param parameters the keys, the first of which decides on the Cluster slot, and after them the arguments; not to be changed
 * @param undone told when the script left others to be let in by a further run; must not block
 */
record ScriptCall<T>(LockScript<T> script, int keyCount, List<byte[]> parameters, Runnable undone) {

    /** A run that leaves nothing undone. */
    ScriptCall(LockScript<T> script, int keyCount, List<byte[]> parameters) {
        this(script, keyCount, parameters, () -> {});
    }

    /** What an integer means that the script answered with. */
    T meaningOf(long answer) {
        return script.meaningOf(answer, undone);
    }

    /** What a text means that the script answered with. */
    T meaningOf(String answer) {
        return script.meaningOf(answer, undone);
    }
}
