package io.distributionlock.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.distributionlock.DistributedLock;
import io.distributionlock.Lease;
import io.distributionlock.LockBackendException;
import io.distributionlock.LockExecutor;
import io.distributionlock.LockLostException;
import io.distributionlock.LockNotAcquiredException;
import io.distributionlock.LockOutcome;
import io.distributionlock.LockOwner;
import io.distributionlock.LockTemplate;
import io.distributionlock.ReleaseResult;
import io.distributionlock.local.LocalLockExecutor;
import io.distributionlock.redis.RedisLockExecutor;
import io.distributionlock.testing.LockContextRunner;
import io.distributionlock.testing.RedisProcess;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** An application that is stopped and started again, or restored from a checkpoint, has its locks again. */
@Tag("boot4")
@Timeout(240)
class RestartTest {

    private static final Duration LONG = Duration.ofSeconds(60);

    @AutoClose
    private static final RedisProcess redis = RedisProcess.start();

    private static ApplicationContextRunner application(String executor) {
        return LockContextRunner.redis(redis.port())
                .withPropertyValues(
                        "distribution-lock.executor=" + executor,
                        "distribution-lock.shutdown.timeout=200ms",
                        "distribution-lock.quorum.nodes[0]=redis://127.0.0.1:" + redis.port(),
                        "distribution-lock.quorum.node-timeout=5s")
                .withUserConfiguration(Others.class);
    }

    @Configuration(proxyBeanMethods = false)
    static class Others {

        @Bean(defaultCandidate = false)
        RedisLockExecutor second(LockExecutors executors) {
            return executors.redis("redis://127.0.0.1:" + redis.port());
        }

        @Bean(defaultCandidate = false)
        LocalLockExecutor third() {
            return new LocalLockExecutor();
        }

        @Bean(defaultCandidate = false)
        LockTemplate inSecond(@Qualifier("second") LockExecutor executor, LockTemplateConfigurer configurer) {
            return configurer.configure(LockTemplate.builder(executor)).build();
        }

        @Bean(defaultCandidate = false)
        LockTemplate inThird(@Qualifier("third") LockExecutor executor, LockTemplateConfigurer configurer) {
            return configurer.configure(LockTemplate.builder(executor)).build();
        }
    }

    private static void restart(ConfigurableApplicationContext context) {
        context.stop();
        context.start();
    }

    @ParameterizedTest
    @ValueSource(strings = {"redis", "local", "quorum"})
    void locksAreBackAfterAStopAndAStart(String executor) {
        application(executor).run(context -> {
            ConfigurableApplicationContext application = context.getSourceApplicationContext();
            Map<String, LockTemplate> templates = context.getBeansOfType(LockTemplate.class);
            assertThat(templates).hasSize(3);
            for (int round = 0; round < 3; round++) {
                templates.forEach((name, locks) -> assertThat(locks.execute("restart:" + name, () -> "done"))
                        .isEqualTo("done"));
                restart(application);
            }
            templates.forEach((name, locks) ->
                    assertThat(locks.execute("restart:" + name, () -> "done")).isEqualTo("done"));
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"redis", "local"})
    void leasesFromBeforeAreLostAndReportIt(String executor) {
        application(executor).run(context -> {
            LockTemplate locks = context.getBean("distributionLockTemplate", LockTemplate.class);
            Lease before = locks.acquire("lease:before");
            long token = before.fencingToken();
            CountDownLatch told = new CountDownLatch(1);
            before.onLost(lease -> told.countDown());
            restart(context.getSourceApplicationContext());

            assertThat(told.await(60, TimeUnit.SECONDS)).isTrue();
            assertThat(before.isValid()).isFalse();
            assertThat(before.confirm()).isFalse();
            assertThat(before.extend(Duration.ofSeconds(5))).isFalse();
            CountDownLatch toldLate = new CountDownLatch(1);
            before.onLost(lease -> toldLate.countDown());
            assertThat(toldLate.await(60, TimeUnit.SECONDS)).isTrue();
            Lease after = locks.acquire("lease:before");
            assertThat(after.fencingToken()).isGreaterThan(token);
            assertThat(before.fencingToken()).isEqualTo(token);
            assertThat(before.release()).isEqualTo(ReleaseResult.LOST);
            assertThat(before.release()).isEqualTo(ReleaseResult.ALREADY_RELEASED);
            assertThat(after.isValid()).isTrue();
            assertThat(after.confirm()).isTrue();
            assertThat(after.release()).isEqualTo(ReleaseResult.RELEASED);
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"redis", "local"})
    void viewsFromBeforeAndAfterAreOfOneLock(String executor) {
        application(executor).run(context -> {
            LockTemplate locks = context.getBean("distributionLockTemplate", LockTemplate.class);
            DistributedLock before = locks.lock("view");
            before.lock();
            restart(context.getSourceApplicationContext());
            DistributedLock after = locks.lock("view");
            assertThat(after).isEqualTo(before).hasSameHashCodeAs(before);

            // The hold from before is lost, whichever of them is asked, until it is unlocked by any.
            assertThatThrownBy(after::tryLock).isInstanceOf(LockLostException.class);
            assertThatThrownBy(after::unlock).isInstanceOf(LockLostException.class);
            before.lock();
            assertThat(after.isHeldByCurrentThread()).isTrue();
            after.unlock();
            after.lock();
            before.unlock();
            assertThat(after.isHeldByCurrentThread()).isFalse();
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"redis", "local", "quorum"})
    void betweenStopAndStartEveryCallFailsAtOnceAndSaysWhy(String executor) {
        application(executor).run(context -> {
            LockTemplate locks = context.getBean("distributionLockTemplate", LockTemplate.class);
            LockExecutor stopped = context.getBean(LockExecutor.class);
            context.getSourceApplicationContext().stop();
            assertThatThrownBy(() -> locks.execute("between", () -> "never"))
                    .isInstanceOf(LockBackendException.class)
                    .hasMessageContaining("shutting down");
            assertThat(stopped.isLocked("between")).failsWithin(LONG);
            context.getSourceApplicationContext().stop();
            context.getSourceApplicationContext().start();
            context.getSourceApplicationContext().start();
            assertThat(stopped.isLocked("between")).succeedsWithin(LONG);
            assertThat(locks.execute("between", () -> "again")).isEqualTo("again");
        });
    }

    /** What is asked for last is what is in the end. */
    @Test
    void stopsAndStartsFromManyThreadsEndInOrder() {
        application("local").run(context -> {
            LockExecutor executor = context.getBean(LockExecutor.class);
            LockTemplate locks = context.getBean("distributionLockTemplate", LockTemplate.class);
            Set<Throwable> failures = ConcurrentHashMap.newKeySet();
            Runnable work = () -> {
                try {
                    for (int i = 0; i < 25; i++) {
                        if (i % 2 == 0) {
                            executor.stop(Duration.ofMillis(i % 3));
                        } else {
                            executor.start();
                        }
                        try {
                            locks.execute("busy", () -> "");
                        } catch (LockNotAcquiredException expected) {
                            // It was stopped at that moment, before the attempt or before the work.
                        }
                    }
                } catch (Throwable e) {
                    failures.add(e);
                }
            };
            Thread[] threads = {new Thread(work), new Thread(work), new Thread(work)};
            for (Thread thread : threads) {
                thread.start();
            }
            for (Thread thread : threads) {
                thread.join(LONG.toMillis());
                assertThat(thread.isAlive()).isFalse();
            }
            assertThat(failures).isEmpty();
            executor.stop(Duration.ZERO);
            assertThatThrownBy(() -> locks.execute("busy", () -> "")).isInstanceOf(LockBackendException.class);
            executor.start();
            assertThat(locks.execute("busy", () -> "again")).isEqualTo("again");
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"redis", "local"})
    void nothingIsLeftOfAHundredRestarts(String executor) {
        // Tests of other classes in this process may have left theirs.
        Set<String> others = engineThreads();
        application(executor).run(context -> {
            LockExecutor restarted = context.getBean(LockExecutor.class);
            LockTemplate locks = context.getBean("distributionLockTemplate", LockTemplate.class);
            locks.execute("restarted", () -> "before");
            int clientsBefore = clients().size();
            for (int i = 0; i < 100; i++) {
                restarted.stop(Duration.ZERO);
                restarted.start();
                assertThat(locks.execute("restarted", () -> "again")).isEqualTo("again");
            }
            await().atMost(LONG).untilAsserted(() -> {
                assertThat(engineThreadsBut(others)).hasSizeLessThanOrEqualTo(8);
                assertThat(clients()).hasSizeLessThanOrEqualTo(clientsBefore + 3);
            });
            context.getSourceApplicationContext().stop();
            await().atMost(LONG).until(() -> engineThreadsBut(others).isEmpty());
        });
    }

    /** What a checkpoint must not find open. */
    @ParameterizedTest
    @ValueSource(strings = {"redis", "quorum"})
    void aStoppedApplicationHasNoConnectionAndNoThread(String executor) {
        Set<String> others = engineThreads();
        application(executor).run(context -> {
            ConfigurableApplicationContext application = context.getSourceApplicationContext();
            for (int round = 0; round < 2; round++) {
                context.getBeansOfType(LockTemplate.class).forEach((name, locks) -> {
                    Lease held = locks.acquire("stopped:" + name);
                    // A process that waits subscribes.
                    assertThat(locks.attempt(
                                    locks.request("stopped:" + name)
                                            .tryLockTime(Duration.ofMillis(200))
                                            .build(),
                                    LockOwner.unique()))
                            .isNotInstanceOf(LockOutcome.Acquired.class);
                    held.release();
                });
                application.stop();
                await().atMost(LONG).untilAsserted(() -> {
                    assertThat(clients()).as("the client that asks").hasSize(1);
                    assertThat(engineThreadsBut(others)).isEmpty();
                });
                application.start();
            }
        });
    }

    private static List<String> clients() {
        return String.valueOf(redis.command("CLIENT", "LIST"))
                .lines()
                .filter(line -> line.contains("addr="))
                .toList();
    }

    private static Set<String> engineThreadsBut(Set<String> others) {
        return engineThreads().stream()
                .filter(thread -> !others.contains(thread))
                .collect(Collectors.toSet());
    }

    private static Set<String> engineThreads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("distribution-lock"))
                .map(thread -> thread.getName() + " " + thread.getId())
                .collect(Collectors.toSet());
    }
}
