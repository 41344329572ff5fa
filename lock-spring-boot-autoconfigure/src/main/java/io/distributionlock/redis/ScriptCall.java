package io.distributionlock.redis;

import java.util.List;

/**
 * One run of a script, encoded.
 *
 * @param script what runs
 * @param keyCount how many of the parameters are keys
 * @param parameters the keys, the first of which decides on the Cluster slot, and after them the arguments; not to be changed
 */
record ScriptCall<T>(LockScript<T> script, int keyCount, List<byte[]> parameters) {}
