package io.distributionlock.redis;

import io.distributionlock.internal.Internal;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The least permissions of a Redis user with which locks work.
 *
 * @hidden
 */
@Internal
public final class RedisAcl {

    /** Without CLIENT, which pauses Redis and ends connections: clients send CLIENT SETINFO, and go on if it is refused. */
    private static final List<String> OF_THE_CLIENT =
            List.of("evalsha", "eval", "subscribe", "unsubscribe", "ping", "hello", "select");

    private static final List<String> OF_THE_SCRIPTS = List.of(
            "get",
            "mget",
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

    private static final List<String> IN_A_CLUSTER =
            List.of("cluster|nodes", "cluster|myid", "info", "ssubscribe", "sunsubscribe", "spublish");

    private RedisAcl() {}

    /**
     * The rule for {@code ACL SETUSER} with this prefix ({@code distribution-lock.redis.key-prefix}). The brace keeps out the keys of
     * applications whose prefix begins with this one and a colon.
     */
    public static String rule(String keyPrefix) {
        StringBuilder rule = new StringBuilder("~" + keyPrefix + ":{* resetchannels &" + keyPrefix + ":wake:* -@all");
        OF_THE_CLIENT.forEach(command -> rule.append(" +").append(command));
        OF_THE_SCRIPTS.forEach(command -> rule.append(" +").append(command));
        return rule.toString();
    }

    /** The same for a Cluster: the client looks at its nodes, and uses sharded channels. */
    public static String ruleOfCluster(String keyPrefix) {
        return rule(keyPrefix) + inCluster();
    }

    /** What a Cluster needs in addition; the last three commands from Redis 7 on. */
    static String inCluster() {
        return IN_A_CLUSTER.stream().map(command -> " +" + command).collect(Collectors.joining());
    }
}
