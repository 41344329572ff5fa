package io.distributionlock.redis;

import io.distributionlock.internal.Internal;

/**
 * The least permissions of a Redis user with which locks work.
 *
 * @hidden
 */
@Internal
public final class RedisAcl {

    /** Without CLIENT, which pauses Redis and ends connections: clients send CLIENT SETINFO, and go on if it is refused. */
    private static final String OF_THE_CLIENT = " +evalsha +eval +subscribe +unsubscribe +ping +hello +select";

    private static final String OF_THE_SCRIPTS =
            " +get +mget +set +del +unlink +exists +pttl +pexpire +time +publish +zadd +zcard +zcount"
                    + " +zrange +zrevrange +zscore +zmscore +zrem +hset +hget +hdel";

    /** What a Cluster needs in addition; the last three commands from Redis 7 on. */
    static final String IN_A_CLUSTER = " +cluster|nodes +cluster|myid +info +ssubscribe +sunsubscribe +spublish";

    private RedisAcl() {}

    /**
     * The rule for {@code ACL SETUSER} with this prefix ({@code distribution-lock.redis.key-prefix}). The brace keeps out the keys of
     * applications whose prefix begins with this one and a colon.
     */
    public static String rule(String keyPrefix) {
        return "~" + keyPrefix + ":{* resetchannels &" + keyPrefix + ":wake:* -@all" + OF_THE_CLIENT + OF_THE_SCRIPTS;
    }

    /** The rule for a Cluster, where the client reads the topology and uses sharded channels. */
    public static String ruleOfCluster(String keyPrefix) {
        return rule(keyPrefix) + IN_A_CLUSTER;
    }
}
