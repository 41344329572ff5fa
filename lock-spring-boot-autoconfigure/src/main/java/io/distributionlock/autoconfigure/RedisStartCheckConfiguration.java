package io.distributionlock.autoconfigure;

import io.distributionlock.autoconfigure.property.LockProperties;
import io.distributionlock.backend.EngineSettings;
import io.distributionlock.redis.RedisLockExecutor;
import io.distributionlock.redis.RedisStartupCheck;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.redis.core.StringRedisTemplate;

/** Fails the start if locks cannot be acquired, for {@code redis.check-on-start=true}. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(StringRedisTemplate.class)
class RedisStartCheckConfiguration {

    @Bean
    @ConditionalOnBean(RedisLockExecutor.class)
    SmartLifecycle lockStartCheck(RedisLockExecutor executor, LockProperties properties) {
        Duration longest = Collections.max(
                List.of(EngineSettings.FIRST_ANSWER_TIMEOUT, properties.redis().commandTimeout()));
        return new Check(new RedisStartupCheck(
                executor, executor.template(), properties.redis().keyPrefix(), longest));
    }

    /** Runs once the executor has started, before the web server accepts requests. */
    private static final class Check implements SmartLifecycle {

        private final RedisStartupCheck check;
        private volatile boolean running;

        Check(RedisStartupCheck check) {
            this.check = check;
        }

        @Override
        public void start() {
            check.run();
            running = true;
        }

        @Override
        public void stop() {
            running = false;
        }

        @Override
        public boolean isRunning() {
            return running;
        }

        @Override
        public int getPhase() {
            return LockExecutorLifecycle.PHASE + 1;
        }
    }
}
