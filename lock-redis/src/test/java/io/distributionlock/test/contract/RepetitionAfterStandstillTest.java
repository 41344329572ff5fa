package io.distributionlock.test.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributionlock.LockExecutor;
import io.distributionlock.local.LocalLockExecutor;
import io.distributionlock.testing.RedisProbe;
import io.distributionlock.testing.RedisProcess;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;

class RepetitionAfterStandstillTest {

    /** So long that there is none but those that are made here. */
    private static final Duration STANDSTILL = Duration.ofSeconds(1);

    private final RedisProcess redis = RedisProcess.start();
    private final Suite suite = new Suite(redis);
    private Standstills.Repetitions repetitions = new Standstills.Repetitions(10);

    @AfterEach
    void end() throws Exception {
        suite.nothingIsLeft();
        redis.close();
    }

    private void run() throws Throwable {
        suite.startTwoProcesses();
        Standstills.run(
                () -> {
                    suite.test();
                    return null;
                },
                suite.invocation(),
                STANDSTILL,
                repetitions);
    }

    @Test
    void aTestThatFailsHasFailed() {
        suite.failures = 1;
        assertThatThrownBy(this::run).isInstanceOf(AssertionError.class).hasMessage("attempt 1");
        assertThat(suite.names).hasSize(1);
    }

    @Test
    void aTestThatFailsInAStandstillIsDoneAgainUnderAnotherName() throws Throwable {
        suite.failures = 1;
        suite.standstills = 1;
        run();
        assertThat(suite.names).hasSize(2).doesNotHaveDuplicates();
    }

    @Test
    void aTestThatFailsAfterItWasDoneAgainHasFailed() {
        suite.failures = 2;
        suite.standstills = 1;
        assertThatThrownBy(this::run).hasMessage("attempt 2");
    }

    @Test
    void aTestIsNotDoneAgainForEver() {
        suite.failures = 100;
        suite.standstills = 100;
        assertThatThrownBy(this::run).hasMessage("attempt 4");
    }

    @Test
    void noTestIsDoneAgainAfterTooManyOthers() {
        repetitions = new Standstills.Repetitions(0);
        suite.failures = 1;
        suite.standstills = 1;
        assertThatThrownBy(this::run)
                .hasMessage("attempt 1")
                .satisfies(failure -> assertThat(failure.getSuppressed()[0])
                        .hasMessageContaining("too many tests were repeated before"));
    }

    /** Has one test, which fails as often as it is told, and first in standstills. */
    private static final class Suite extends ContractSuite {

        private final RedisProcess redis;
        private final List<String> names = new ArrayList<>();
        private int failures;
        private int standstills;

        Suite(RedisProcess redis) {
            this.redis = redis;
        }

        void test() throws Exception {
            names.add(name);
            if (names.size() <= standstills) {
                redis.pause();
                TimeUnit.MILLISECONDS.sleep(STANDSTILL.plusMillis(200).toMillis());
                redis.resume();
            }
            if (names.size() <= failures) {
                throw new AssertionError("attempt " + names.size());
            }
        }

        @Override
        LockFixture newFixture() {
            return new LockFixture() {
                @Override
                public LockExecutor newProcess() {
                    return new LocalLockExecutor();
                }

                @Override
                public List<String> traces(String name) {
                    return List.of();
                }

                @Override
                public List<Probe> openProbes() {
                    return RedisProbe.of(List.of(redis));
                }

                @Override
                public void close() {}
            };
        }

        ReflectiveInvocationContext<Method> invocation() {
            return new ReflectiveInvocationContext<>() {
                @Override
                public Class<?> getTargetClass() {
                    return Suite.class;
                }

                @Override
                public Optional<Object> getTarget() {
                    return Optional.of(Suite.this);
                }

                @Override
                public Method getExecutable() {
                    try {
                        return Suite.class.getDeclaredMethod("test");
                    } catch (NoSuchMethodException e) {
                        throw new IllegalStateException(e);
                    }
                }

                @Override
                public List<Object> getArguments() {
                    return List.of();
                }
            };
        }
    }
}
