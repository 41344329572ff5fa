package io.distributionlock.redis;

import java.util.List;

/** The least permissions of a Redis user with which locks work. */
public final class RedisRights {

    private static final List<String> OF_THE_CLIENT =
            List.of("evalsha", "eval", "subscribe", "unsubscribe", "ping", "hello", "client", "select");

    private static final List<String> OF_THE_SCRIPTS = List.of(
            "get",
            "set",
            "del",
            "exists",
            "pttl",
            "pexpire",
            "time",
            "publish",
            "zadd",
            "zcard",
            "zcount",
            "zrange",
            "zrevrange",
            "zscore",
            "zmscore",
            "zrem",
            "hset",
            "hget",
            "hdel");

    private RedisRights() {}

    /** The rule for {@code ACL SETUSER} with this prefix ({@code distribution-lock.redis.key-prefix}). */
    public static String rule(String keyPrefix) {
        StringBuilder rule = new StringBuilder("~" + keyPrefix + ":* resetchannels &" + keyPrefix + ":wake:* -@all");
        OF_THE_CLIENT.forEach(command -> rule.append(" +").append(command));
        OF_THE_SCRIPTS.forEach(command -> rule.append(" +").append(command));
        return rule.toString();
    }
}
