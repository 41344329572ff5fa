package io.distributionlock.engine;

import io.distributionlock.LockKind;
import io.distributionlock.backend.AcquireReply;
import io.distributionlock.backend.CommandListener;
import io.distributionlock.backend.CommandPort;
import io.distributionlock.backend.ReleaseReply;
import io.distributionlock.backend.RenewReply;
import io.distributionlock.monitor.LockInspection;
import io.distributionlock.state.Times;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiPredicate;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A port to a backend in memory with delayed answers, and with calls that throw on request. */
final class FaultyPort implements CommandPort {

    /** A call of the port. */
    enum Call {
        LISTEN,
        ACQUIRE,
        ACQUIRE_ALL,
        RELEASE,
        NUMBER,
        RENEW,
        POLL_MILLIS,
        IS_LOCKED,
        INSPECT,
        FORCE_RELEASE
    }

    private final CommandPort backend;
    private final LongSupplier clock;
    private final Deque<Answer<?>> answers = new ArrayDeque<>();
    private long delayNanos;
    private BiPredicate<Call, String> failing = (call, name) -> false;
    private @Nullable Supplier<Throwable> thrown;
    private boolean thrownLater;
    private boolean nothing;
    final List<String> sent = new ArrayList<>();

    FaultyPort(CommandPort backend, LongSupplier clock) {
        this.backend = backend;
        this.clock = clock;
    }

    void answerAfter(long millis) {
        delayNanos = Times.nanos(millis);
    }

    /** Calls throw, of whichever kind and name the predicate says. */
    void fail(BiPredicate<Call, String> which, Supplier<Throwable> what) {
        failing = which;
        thrown = what;
    }

    /** The future fails instead of the call. */
    void failAnswers(BiPredicate<Call, String> which, Supplier<Throwable> what) {
        fail(which, what);
        thrownLater = true;
    }

    /** Calls return {@code null}. */
    void answerNothing(BiPredicate<Call, String> which) {
        failing = which;
        nothing = true;
    }

    void work() {
        failing = (call, name) -> false;
    }

    /** Delivers what has had its time. */
    void deliver() {
        while (!answers.isEmpty() && answers.peek().arrives <= clock.getAsLong()) {
            answers.remove().deliver();
        }
    }

    @SuppressWarnings("unchecked")
    private static <E extends Throwable> void sneak(Throwable e) throws E {
        throw (E) e;
    }

    private <R> CompletableFuture<R> run(Call call, String name, Supplier<CompletableFuture<R>> command) {
        sent.add(call + " " + name);
        if (failing.test(call, name)) {
            if (nothing) {
                return null;
            }
            if (thrownLater) {
                return CompletableFuture.failedFuture(thrown.get());
            }
            FaultyPort.<RuntimeException>sneak(thrown.get());
        }
        CompletableFuture<R> result = command.get();
        if (delayNanos == 0) {
            return result;
        }
        Answer<R> answer = new Answer<>(result, clock.getAsLong() + delayNanos);
        answers.add(answer);
        return answer.future;
    }

    @Override
    public void attach(CommandListener listener) {
        backend.attach(listener);
    }

    @Override
    public Set<LockKind> kinds() {
        return backend.kinds();
    }

    @Override
    public CompletableFuture<AcquireReply> acquire(String name, String claim, long leaseMillis, boolean wait) {
        return run(Call.ACQUIRE, name, () -> backend.acquire(name, claim, leaseMillis, wait));
    }

    @Override
    public CompletableFuture<AcquireReply> acquireUncontended(
            String name, String claim, long leaseMillis, boolean wait) {
        return run(Call.ACQUIRE, name, () -> backend.acquireUncontended(name, claim, leaseMillis, wait));
    }

    @Override
    public CompletableFuture<ReleaseReply> releaseUncontended(String name, String claim) {
        return run(Call.RELEASE, name, () -> backend.releaseUncontended(name, claim));
    }

    @Override
    public CompletableFuture<Long> number(String name, String claim, long leaseMillis) {
        return run(Call.NUMBER, name, () -> backend.number(name, claim, leaseMillis));
    }

    @Override
    public int maxHeartbeatEntries() {
        return backend.maxHeartbeatEntries();
    }

    @Override
    public CompletableFuture<List<AcquireReply>> acquireAll(String name, List<HeartbeatEntry> entries) {
        return run(Call.ACQUIRE_ALL, name, () -> backend.acquireAll(name, entries));
    }

    @Override
    public CompletableFuture<ReleaseReply> release(String name, String claim, boolean tombstone, long minHoldMillis) {
        return run(Call.RELEASE, name, () -> backend.release(name, claim, tombstone, minHoldMillis));
    }

    /** As a port does that builds all commands before it sends them: one that fails fails all. */
    @Override
    public List<CompletableFuture<RenewReply>> renew(List<Renewal> renewals) {
        List<CompletableFuture<RenewReply>> replies = new ArrayList<>();
        for (Renewal renewal : renewals) {
            replies.add(run(
                    Call.RENEW,
                    renewal.name(),
                    () -> backend.renew(List.of(renewal)).get(0)));
        }
        return replies;
    }

    @Override
    public CompletableFuture<Boolean> isLocked(String name) {
        return run(Call.IS_LOCKED, name, () -> backend.isLocked(name));
    }

    @Override
    public CompletableFuture<LockInspection> inspect(String name) {
        return run(Call.INSPECT, name, () -> backend.inspect(name));
    }

    @Override
    public CompletableFuture<Boolean> forceRelease(String name) {
        return run(Call.FORCE_RELEASE, name, () -> backend.forceRelease(name));
    }

    @Override
    public void listen() {
        throwIfFailing(Call.LISTEN);
        backend.listen();
    }

    @Override
    public long pollMillis() {
        throwIfFailing(Call.POLL_MILLIS);
        return backend.pollMillis();
    }

    /** What answers by no future fails at once or not at all. */
    private void throwIfFailing(Call call) {
        if (failing.test(call, "") && thrown != null && !thrownLater) {
            FaultyPort.<RuntimeException>sneak(thrown.get());
        }
    }

    @Override
    public void close() {
        backend.close();
    }

    private static final class Answer<R> {
        final CompletableFuture<R> result;
        final long arrives;
        final CompletableFuture<R> future = new CompletableFuture<>();

        Answer(CompletableFuture<R> result, long arrives) {
            this.result = result;
            this.arrives = arrives;
        }

        void deliver() {
            future.complete(result.join());
        }
    }
}
