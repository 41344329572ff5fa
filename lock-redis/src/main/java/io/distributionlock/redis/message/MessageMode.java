package io.distributionlock.redis.message;

/** How processes are notified of locks that they were granted or that were released by force. */
public enum MessageMode {
    /** What the client, the servers and the user's permissions allow: sharded channels in a Cluster, otherwise classic ones, or none. */
    AUTO,
    /** Channels that each node of a Cluster knows (PUBLISH). */
    CLASSIC,
    /** In a Cluster, channels that only the nodes of their slot know (SPUBLISH, Redis 7); otherwise as CLASSIC. */
    SHARDED,
    /** Nobody publishes or subscribes: processes that wait poll. */
    NONE
}
