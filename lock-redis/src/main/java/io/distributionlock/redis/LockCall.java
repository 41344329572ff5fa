package io.distributionlock.redis;

import java.util.List;
import java.util.function.Function;

/** One encoded command for a lock. Byte arrays must not be modified. */
sealed interface LockCall<T> {

    /** The key that determines the Cluster slot. */
    byte[] key();

    /**
     * Makes the claim the owner of a lock that is free, by {@code SET key claim NX PX lease}. Answers whether it was free.
     *
     * @param key the owner key
     */
    record SetIfAbsent(byte[] key, byte[] claim, long leaseMillis) implements LockCall<Boolean> {}

    /**
     * Deletes a key if it has a value, by a command that not every server has. Answers whether it was deleted.
     *
     * @param arguments what follows the key
     */
    record CompareAndDelete(String command, byte[] key, List<byte[]> arguments) implements LockCall<Boolean> {}

    /**
     * One encoded call of a script.
     *
     * @param script the script to run
     * @param keyCount how many of the parameters are keys
     * @param parameters the keys, the first of which determines the Cluster slot, then the arguments; must not be modified
     * @param meaning parses the answer, and does what the script has left to do; called once, on the thread that receives the answer
     */
    record ScriptCall<T>(LockScript script, int keyCount, List<byte[]> parameters, Function<String, T> meaning)
            implements LockCall<T> {

        @Override
        public byte[] key() {
            return parameters.get(0);
        }
    }
}
