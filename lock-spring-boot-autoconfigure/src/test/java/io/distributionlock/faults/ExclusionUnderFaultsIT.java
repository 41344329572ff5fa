package io.distributionlock.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributionlock.Lease;
import io.distributionlock.LockKind;
import io.distributionlock.ReleaseResult;
import io.distributionlock.testing.TcpProxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Faults that were found from outside: a connection that is dead without a word, no memory left, threads that run other
 * tasks while they wait for a future, and questions whether a lock is held, without pause. Whatever happens in them,
 * nobody is inside beside somebody else, and afterwards everything goes on.
 */
@Tag("server")
@Tag("long")
class ExclusionUnderFaultsIT extends FaultSuite {

    private final AtomicInteger inside = new AtomicInteger();
    private final AtomicInteger sections = new AtomicInteger();
    private final AtomicInteger together = new AtomicInteger();

    /** Waits for a second lock inside of the first one. */
    private void section() {
        try (Lease outer = here.locks().acquire(renewed(LONG_LEASE))) {
            if (inside.incrementAndGet() > 1) {
                together.incrementAndGet();
            }
            try (Lease inner = here.locks().acquire(renewed(name + ":inner", LONG_LEASE))) {
                sections.incrementAndGet();
            }
            inside.decrementAndGet();
        }
    }

    @Test
    void connectionsThatAreDeadWithoutAWordLetNobodyInBesideAHolder() throws Exception {
        TcpProxy network = newProxy();
        Instance far = newInstance(network.port());
        ObservedLease held = acquire(far, renewed(Duration.ofSeconds(6)));
        CompletableFuture<ObservedLease> waiter = startWaiting(here, renewed(LONG_LEASE));
        network.swallow();
        // Either its renewals find another way, or its lease ends by its own clock first.
        awaitTime(Duration.ofSeconds(8), System.nanoTime());
        if (held.isValid()) {
            assertThat(waiter).isNotDone();
        }
        network.cut();
        far.awaitLocks();
        held.release();
        assertThat(get(waiter, SOON).release()).isEqualTo(ReleaseResult.RELEASED);
        assertThat(acquire(far, renewed(LONG_LEASE)).release()).isEqualTo(ReleaseResult.RELEASED);
    }

    @Test
    void whileRedisHasNoMemoryLeftReadersKeepOutAWriterAndAfterwardsItEnters() throws Exception {
        List<Lease> readers = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            readers.add(get(start(() -> here.locks().acquire(single(LockKind.READ, Duration.ofSeconds(6))))));
        }
        CompletableFuture<ObservedLease> writer = startWaiting(there, single(LockKind.WRITE, LONG_LEASE));
        redis.command("CONFIG", "SET", "maxmemory", "1");
        awaitTime(Duration.ofSeconds(3), System.nanoTime());
        assertThat(readers).allMatch(Lease::isValid);
        assertThat(writer).isNotDone();
        redis.command("CONFIG", "SET", "maxmemory", "0");
        readers.forEach(Lease::release);
        assertThat(get(writer, SOON).release()).isEqualTo(ReleaseResult.RELEASED);
    }

    @Test
    void fourWorkersOfAForkJoinPoolThatTakeTheSameLockAreNeverInsideTogether() throws Exception {
        ForkJoinPool pool = new ForkJoinPool(4);
        List<CompletableFuture<Void>> parts = new CopyOnWriteArrayList<>();
        try {
            CompletableFuture<Void> all = CompletableFuture.runAsync(
                    () -> {
                        for (int i = 0; i < 40; i++) {
                            parts.add(CompletableFuture.runAsync(this::section, pool));
                        }
                        section();
                    },
                    pool);
            get(all);
            for (CompletableFuture<Void> part : parts) {
                get(part);
            }
        } finally {
            pool.shutdownNow();
        }
        assertThat(sections).hasValue(41);
        assertThat(together).hasValue(0);
        assertThat(acquire(there, renewed(LONG_LEASE)).release()).isEqualTo(ReleaseResult.RELEASED);
    }

    @Test
    void questionsWithoutPauseWhetherTheLockIsHeldLetNobodyInBesideItsHolder() throws Exception {
        ObservedLease held = acquire(here, renewed(Duration.ofSeconds(3)));
        CompletableFuture<ObservedLease> waiter = startWaiting(there, renewed(LONG_LEASE));
        long end = System.nanoTime() + Duration.ofSeconds(8).toNanos();
        List<CompletableFuture<Void>> askers = new ArrayList<>();
        for (int i = 0; i < 32; i++) {
            askers.add(start(() -> {
                while (System.nanoTime() < end && held.lease().confirm()) {
                    // Once more.
                }
                return null;
            }));
        }
        for (CompletableFuture<Void> asker : askers) {
            get(asker);
        }
        if (held.isValid()) {
            assertThat(waiter).isNotDone();
        }
        held.release();
        assertThat(get(waiter, SOON).release()).isEqualTo(ReleaseResult.RELEASED);
    }
}
