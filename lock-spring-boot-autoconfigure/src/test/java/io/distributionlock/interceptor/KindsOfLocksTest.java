package io.distributionlock.interceptor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributionlock.LockKind;
import io.distributionlock.LockNotAcquiredException;
import io.distributionlock.LockTemplate;
import io.distributionlock.LockUpgradeException;
import io.distributionlock.annotation.DistributionLock;
import io.distributionlock.testing.LockContextRunner;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

/** {@code kind} of the annotation. */
@Tag("boot4")
class KindsOfLocksTest {

    @FunctionalInterface
    private interface Body {
        void run(Catalogue catalogue, LockTemplate template) throws Exception;
    }

    private static void with(Body test) {
        LockContextRunner.local(Catalogue.class).run(context -> {
            assertThat(context).hasNotFailed();
            LockTemplate template = context.getBean(LockTemplate.class);
            test.run(context.getBean(Catalogue.class), template);
            assertThat(template.lock("catalogue").isLocked()).isFalse();
        });
    }

    private static <T> T elsewhere(Supplier<T> work) throws Exception {
        try {
            return CompletableFuture.supplyAsync(work).get(20, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            throw (Exception) e.getCause();
        }
    }

    @Test
    void readersHoldTheLockTogetherAndTheWriterFindsItBusy() {
        with((catalogue, template) -> assertThat(catalogue.read(() -> {
                    try {
                        assertThat(elsewhere(() -> catalogue.read(() -> "both")))
                                .isEqualTo("both");
                        assertThatThrownBy(() -> elsewhere(() -> catalogue.write(() -> "never")))
                                .isExactlyInstanceOf(LockNotAcquiredException.class);
                        assertThatThrownBy(() -> elsewhere(() -> catalogue.inOrder(() -> "never")))
                                .isExactlyInstanceOf(LockNotAcquiredException.class);
                        return "read";
                    } catch (Exception e) {
                        throw new AssertionError(e);
                    }
                }))
                .isEqualTo("read"));
    }

    @Test
    void aWriterMayReadInsideAndAReaderMustNotWrite() {
        with((catalogue, template) -> {
            assertThat(catalogue.write(() -> catalogue.read(() -> "inner"))).isEqualTo("inner");
            assertThatExceptionOfType(LockUpgradeException.class)
                    .isThrownBy(() -> catalogue.read(() -> catalogue.write(() -> "never")))
                    .withMessageContaining("catalogue");
        });
    }

    @Test
    void anUpgradeFailsAsynchronousMethodsToo() {
        with((catalogue, template) -> {
            assertThatThrownBy(() -> catalogue.readLater(catalogue::writeLater).join())
                    .hasCauseInstanceOf(LockUpgradeException.class);
            assertThatExceptionOfType(LockUpgradeException.class)
                    .isThrownBy(() -> catalogue.readMono(catalogue.writeMono()).block(Duration.ofSeconds(20)))
                    .satisfies(e -> assertThat(e.lockName()).isEqualTo("catalogue"));
        });
    }

    static class Catalogue {

        @DistributionLock(key = "catalogue", kind = LockKind.READ, tryLockTime = 0)
        public String read(Supplier<String> inside) {
            return inside.get();
        }

        @DistributionLock(key = "catalogue", kind = LockKind.WRITE, tryLockTime = 0)
        public String write(Supplier<String> inside) {
            return inside.get();
        }

        @DistributionLock(key = "catalogue", kind = LockKind.FAIR, tryLockTime = 0)
        public String inOrder(Supplier<String> inside) {
            return inside.get();
        }

        @DistributionLock(key = "catalogue", kind = LockKind.READ, tryLockTime = 0)
        public CompletableFuture<String> readLater(Supplier<CompletableFuture<String>> inside) {
            return inside.get();
        }

        @DistributionLock(key = "catalogue", kind = LockKind.WRITE, tryLockTime = 0)
        public CompletableFuture<String> writeLater() {
            return CompletableFuture.completedFuture("never");
        }

        @DistributionLock(key = "catalogue", kind = LockKind.WRITE, tryLockTime = 0)
        public Mono<String> writeMono() {
            return Mono.just("never");
        }

        @DistributionLock(key = "catalogue", kind = LockKind.READ, tryLockTime = 0)
        public Mono<String> readMono(Mono<String> inside) {
            return inside;
        }
    }
}
