package io.distributionlock.rack;

import java.util.EnumSet;
import java.util.Set;
import java.util.function.Supplier;

/** What a lock stands on. */
enum World {
    /** One Redis, or one with replicas. */
    REDIS,
    /** Three masters that know nothing of each other. */
    QUORUM,
    /** Three servers of ZooKeeper, which agree on each step. */
    CONSENSUS;

    static final Set<World> ALL = EnumSet.allOf(World.class);
    static final Set<World> REDIS_ONLY = EnumSet.of(REDIS);
    static final Set<World> NO_CONSENSUS = EnumSet.of(REDIS, QUORUM);
    static final Set<World> NO_QUORUM = EnumSet.of(REDIS, CONSENSUS);
    static final Set<World> SEVERAL_SERVERS = EnumSet.of(QUORUM, CONSENSUS);
    static final Set<World> QUORUM_ONLY = EnumSet.of(QUORUM);

    /** The server where there is one; that of three otherwise. */
    Site site(Supplier<Site> ofRedis) {
        return switch (this) {
            case REDIS -> ofRedis.get();
            case QUORUM -> Site.quorum();
            case CONSENSUS -> Site.zooKeepers();
        };
    }
}
