package io.distributionlock.quorum;

import io.distributionlock.redis.RedisCommandPort;
import io.distributionlock.redis.RedisPortSettings;
import org.springframework.data.redis.core.StringRedisTemplate;

/** Sends the commands to a Redis. */
final class RedisNodePort extends RedisCommandPort implements NodePort {

    RedisNodePort(StringRedisTemplate template, RedisPortSettings settings) {
        super(template, settings);
    }
}
