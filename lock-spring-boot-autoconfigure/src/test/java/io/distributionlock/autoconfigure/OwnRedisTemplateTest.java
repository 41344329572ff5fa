package io.distributionlock.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributionlock.LockTemplate;
import io.distributionlock.annotation.DistributionLock;
import io.distributionlock.redis.RedisLockExecutor;
import io.distributionlock.testing.LockContextRunner;
import io.distributionlock.testing.RecordingTransactionManager;
import io.distributionlock.testing.RedisMonitor;
import io.distributionlock.testing.RedisProcess;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.dao.DataAccessException;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.core.RedisCallback;
import org.springframework.data.redis.core.RedisOperations;
import org.springframework.data.redis.core.SessionCallback;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.data.redis.serializer.JdkSerializationRedisSerializer;
import org.springframework.data.redis.serializer.RedisSerializer;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Locks over a template that the application has set up for its own needs, with other serializers and transactions of Redis: they take and
 * free their locks at once, and add nothing to a transaction or a pipeline of the application.
 */
@Tag("server")
@Tag("boot4")
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class OwnRedisTemplateTest {

    private static final String KEY = "distribution-lock:{name}";

    private static RedisProcess redis;

    @BeforeAll
    static void start() {
        redis = RedisProcess.start();
    }

    @AfterAll
    static void stop() {
        redis.close();
    }

    private static ApplicationContextRunner application(String client) {
        return LockContextRunner.redis(redis.port())
                .withUserConfiguration(Configured.class)
                .withPropertyValues("spring.data.redis.client-type=" + client);
    }

    private static boolean exists(String key) {
        return Long.valueOf(1).equals(redis.command("EXISTS", key));
    }

    /** What one command after the other does with the template. */
    enum Work {
        TRANSACTION {
            @Override
            void run(Beans beans, Runnable locked) {
                new TransactionTemplate(beans.transactions()).executeWithoutResult(status -> {
                    beans.template().opsForValue().set("key", "value");
                    locked.run();
                    beans.template().opsForValue().set("key", "other");
                });
            }
        },
        MULTI {
            @Override
            void run(Beans beans, Runnable locked) {
                beans.template().execute(new InOneSession(locked, true));
            }
        },
        PIPELINE {
            @Override
            void run(Beans beans, Runnable locked) {
                beans.template().executePipelined(new InOneSession(locked, false));
            }
        };

        abstract void run(Beans beans, Runnable locked);
    }

    private record Beans(CountingTemplate template, PlatformTransactionManager transactions) {}

    private record InOneSession(Runnable locked, boolean multi) implements SessionCallback<Object> {

        @Override
        @SuppressWarnings("unchecked") // the template's own
        public <K, V> @Nullable Object execute(RedisOperations<K, V> operations) throws DataAccessException {
            if (multi) {
                operations.multi();
            }
            operations.opsForValue().set((K) "key", (V) "value");
            locked.run();
            operations.opsForValue().set((K) "key", (V) "other");
            if (multi) {
                operations.exec();
            }
            return null;
        }
    }

    @ParameterizedTest
    @CsvSource({
        "lettuce, TRANSACTION",
        "lettuce, MULTI",
        "lettuce, PIPELINE",
        "jedis, TRANSACTION",
        "jedis, MULTI",
        "jedis, PIPELINE"
    })
    void theLockIsTakenAndFreedAtOnceWhateverTheApplicationDoesWithItsTemplate(String client, Work work) {
        application(client).run(context -> {
            assertThat(context).hasNotFailed();
            CountingTemplate template = context.getBean(CountingTemplate.class);
            assertThat(context.getBean(RedisLockExecutor.class).template()).isSameAs(template);
            Locked locked = context.getBean(Locked.class);
            int before = template.executed.get();
            locked.checkThatItIsHeld();
            assertThat(template.executed.get() > before).isEqualTo(client.equals("jedis"));
            redis.command("DEL", "key");
            try (RedisMonitor monitor = new RedisMonitor(redis)) {
                work.run(new Beans(template, context.getBean(PlatformTransactionManager.class)), () -> {
                    locked.checkThatItIsHeld();
                    context.getBean(LockTemplate.class)
                            .execute(
                                    "other",
                                    () -> assertThat(exists("distribution-lock:{other}"))
                                            .isTrue());
                    if (work != Work.TRANSACTION) {
                        assertThat(exists(KEY)).isFalse();
                    }
                    if (work != Work.PIPELINE) {
                        assertThat(exists("key")).isFalse();
                    }
                });
                assertThat(exists(KEY)).isFalse();
                assertThat(inTransactions(monitor.lines()))
                        .hasSize(work == Work.PIPELINE ? 0 : 2)
                        .noneMatch(line -> line.contains("distribution-lock"));
            }
        });
    }

    /** What was run between a MULTI and the EXEC of the same connection. */
    private static List<String> inTransactions(List<String> lines) {
        List<String> found = new ArrayList<>();
        Set<String> open = new HashSet<>();
        for (String line : lines) {
            String connection = line.substring(line.indexOf('['), line.indexOf(']'));
            if (line.contains("\"EXEC\"")) {
                open.remove(connection);
            } else if (open.contains(connection)) {
                found.add(line);
            } else if (line.contains("\"MULTI\"")) {
                open.add(connection);
            }
        }
        return found;
    }

    static class Locked {

        @DistributionLock(key = "name")
        public void checkThatItIsHeld() {
            assertThat(exists(KEY)).isTrue();
        }
    }

    static class CountingTemplate extends StringRedisTemplate {

        private final AtomicInteger executed = new AtomicInteger();

        CountingTemplate(RedisConnectionFactory factory) {
            super(factory);
        }

        @Override
        public <T> @Nullable T execute(RedisCallback<T> action) {
            executed.incrementAndGet();
            return super.execute(action);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Configured {

        @Bean
        @SuppressWarnings("unchecked")
        CountingTemplate template(RedisConnectionFactory factory) {
            CountingTemplate template = new CountingTemplate(factory);
            template.setEnableTransactionSupport(true);
            RedisSerializer<?> serializer = new JdkSerializationRedisSerializer();
            template.setKeySerializer(serializer);
            template.setValueSerializer(serializer);
            template.setHashKeySerializer(serializer);
            template.setStringSerializer(new Reversed());
            return template;
        }

        @Bean
        Locked locked() {
            return new Locked();
        }

        @Bean
        PlatformTransactionManager transactions() {
            return new RecordingTransactionManager(new CopyOnWriteArrayList<>());
        }
    }

    /** A serializer that would spoil each script. */
    private static final class Reversed implements RedisSerializer<String> {

        @Override
        public byte[] serialize(@Nullable String text) {
            return new StringBuilder(String.valueOf(text)).reverse().toString().getBytes();
        }

        @Override
        public String deserialize(byte @Nullable [] bytes) {
            return new StringBuilder(new String(bytes)).reverse().toString();
        }
    }
}
