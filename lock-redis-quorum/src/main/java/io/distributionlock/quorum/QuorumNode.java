package io.distributionlock.quorum;

import org.springframework.data.redis.core.StringRedisTemplate;

/**
 * One server of a quorum: an independent master, neither a replica of another node nor in the same Cluster.
 *
 * @param label names the node in logs and health, such as {@code redis-1:6379}; it must not contain a password
 * @param template the connection to the node
 */
public record QuorumNode(String label, StringRedisTemplate template) {

    public QuorumNode {
        if (label.isBlank()) {
            throw new IllegalArgumentException("The label of a quorum node is blank: set one such as 'redis-1:6379'.");
        }
    }
}
