package io.distributionlock.quorum;

import org.springframework.data.redis.core.StringRedisTemplate;

/**
 * One of the servers over which locks are kept: an independent master, not a replica or a part of a Cluster with others of them.
 *
 * @param label by what people know it, such as {@code redis-1:6379}; no password, for it is logged
 * @param template how it is reached
 */
public record QuorumNode(String label, StringRedisTemplate template) {

    public QuorumNode {
        if (label.isBlank()) {
            throw new IllegalArgumentException("The label of a node is blank: name it, such as 'redis-1:6379'.");
        }
    }
}
