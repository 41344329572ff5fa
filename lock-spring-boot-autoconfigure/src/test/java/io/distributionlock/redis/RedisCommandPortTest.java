package io.distributionlock.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributionlock.engine.AcquireReply;
import io.distributionlock.engine.ReleaseReply;
import io.distributionlock.testing.RedisConnections;
import io.distributionlock.testing.RedisProcess;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;

class RedisCommandPortTest {

    @Test
    void smoke() throws Exception {
        try (RedisProcess redis = RedisProcess.start()) {
            LettuceConnectionFactory factory = RedisConnections.to(redis.port());
            try (RedisCommandPort port = new RedisCommandPort(
                    new StringRedisTemplate(factory), RedisPortSettings.of("distribution-lock", "a-1-x"))) {
                AcquireReply reply = port.acquire("n", "a-1-x:1", 5_000, true).get(10, TimeUnit.SECONDS);
                assertThat(reply).isInstanceOf(AcquireReply.Ok.class);
                AcquireReply second = port.acquire("n", "a-1-x:2", 5_000, true).get(10, TimeUnit.SECONDS);
                assertThat(second).isInstanceOf(AcquireReply.Busy.class);
                assertThat(port.release("n", "a-1-x:1", false, 0).get(10, TimeUnit.SECONDS))
                        .isEqualTo(ReleaseReply.RELEASED);
                System.out.println(redis.command("KEYS", "*") + " " + reply + second + redis.version());
            } finally {
                factory.destroy();
            }
        }
    }
}
