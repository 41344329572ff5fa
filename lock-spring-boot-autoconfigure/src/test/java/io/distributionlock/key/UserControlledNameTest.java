package io.distributionlock.key;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributionlock.annotation.DistributionLock;
import io.distributionlock.annotation.DistributionLockParam;
import io.distributionlock.annotation.InvalidLockDefinitionException;
import io.distributionlock.testing.LockContextRunner;
import io.distributionlock.testing.ScriptedLockExecutor;
import java.util.Collections;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** What a user can make of the names of locks: neither the lock of an election nor a number of locks without end. */
@Tag("boot4")
class UserControlledNameTest {

    private final ScriptedLockExecutor executor = new ScriptedLockExecutor();

    private void with(Consumer<Keys> use) {
        LockContextRunner.with(executor, KeysConfiguration.class)
                .run(context -> use.accept(context.getBean(Keys.class)));
    }

    @Test
    void noValueNamesTheLockOfAnElection() {
        with(keys -> {
            for (Runnable call : List.<Runnable>of(
                    () -> keys.whole("leader:outbox"),
                    () -> keys.begin("leader"),
                    () -> keys.wholeAndPart("leader", "outbox"))) {
                assertThatThrownBy(call::run)
                        .isInstanceOf(LockKeyException.class)
                        .hasMessageContaining("'leader:'")
                        .hasMessageContaining("Begin the key with a text of your own");
            }
            keys.whole("leader");
            keys.whole("leaders:outbox");
            keys.part("leader:outbox");
            assertThat(executor.names()).containsExactly("leader", "leaders:outbox", "part:leader%3Aoutbox");
        });
    }

    @Test
    void aKeyThatBeginsLikeTheLockOfAnElectionFailsTheStart() {
        for (Class<?> bean : List.of(Literal.class, LiteralWithPart.class)) {
            LockContextRunner.with(executor, bean)
                    .run(context -> assertThat(context)
                            .hasFailed()
                            .getFailure()
                            .isInstanceOf(InvalidLockDefinitionException.class)
                            .hasMessageContaining("'leader:'")
                            .hasMessageContaining("'key'"));
        }
    }

    @Test
    void oneCallAsksForNoMoreThanAThousandLocks() {
        List<Integer> many = IntStream.range(0, 1_000).boxed().toList();
        List<Integer> more = IntStream.range(0, 1_001).boxed().toList();
        with(keys -> {
            keys.each(many);
            assertThat(executor.names()).hasSize(1_000);
            for (Runnable call : List.<Runnable>of(
                    () -> keys.each(more),
                    () -> keys.each(Collections.nCopies(1_000_000, 7)),
                    () -> keys.product(many, many),
                    () -> keys.product(more.subList(0, 101), more.subList(0, 10)))) {
                assertThatThrownBy(call::run)
                        .isInstanceOf(LockKeyException.class)
                        .hasMessageContaining("1000")
                        .hasMessageContaining("Pass fewer elements at once");
            }
        });
    }

    /** An expression in the key, too, may be as long as a client wants. */
    @Test
    void aLongKeyIsNotRepeatedForAThousandNames() {
        List<Integer> many = IntStream.range(0, 1_000).boxed().toList();
        with(keys -> {
            keys.keyAndEach("a".repeat(1_000), many);
            assertThat(executor.names()).hasSize(1_000);
            for (Runnable call : List.<Runnable>of(
                    () -> keys.keyAndEach("a".repeat(2_000_000), many), () -> keys.whole("a".repeat(10_000_001)))) {
                assertThatThrownBy(call::run)
                        .isInstanceOf(LockKeyException.class)
                        .hasMessageContaining("the key")
                        .hasMessageContaining("10000000")
                        .hasMessageContaining("shorter values");
            }
        });
    }

    @Configuration(proxyBeanMethods = false)
    @Import(Keys.class)
    static class KeysConfiguration {}

    static class Keys {

        @DistributionLock(key = "#{#text}")
        public void whole(String text) {}

        @DistributionLock(key = "#{#text}:x")
        public void begin(String text) {}

        @DistributionLock(key = "#{#text}")
        public void wholeAndPart(String text, @DistributionLockParam String part) {}

        @DistributionLock(key = "part")
        public void part(@DistributionLockParam String part) {}

        @DistributionLock(key = "each")
        public void each(@DistributionLockParam(each = true) List<Integer> numbers) {}

        @DistributionLock(key = "#{#text}")
        public void keyAndEach(String text, @DistributionLockParam(each = true) List<Integer> numbers) {}

        @DistributionLock(key = "product")
        public void product(
                @DistributionLockParam(each = true) List<Integer> some,
                @DistributionLockParam(each = true) List<Integer> others) {}
    }

    static class Literal {

        @DistributionLock(key = "leader:outbox")
        public void run() {}
    }

    static class LiteralWithPart {

        @DistributionLock(key = "leader")
        public void run(@DistributionLockParam String name) {}
    }
}
