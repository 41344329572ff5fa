package io.distributionlock.benchmarks.contestants;

import io.distributionlock.Lease;
import io.distributionlock.LockKind;
import io.distributionlock.LockRequest;
import io.distributionlock.LockTemplate;
import io.distributionlock.MultiLock;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** This library, with the executor on Redis and the renewed lease that an application gets by default. */
final class LibraryContestant implements Contestant {

    enum Mode {
        /** As an application gets it by default. */
        PLAIN,
        /** In the order of arrival. */
        FAIR,
        /** Asks for the fencing token in each section. */
        TOKEN,
        /** Goes on when the release was sent. */
        UNAWAITED,
        /** One of {@link Contestants#PERMITS}. */
        PERMITS
    }

    private final SpringRedis redis;
    private final LockTemplate locks;
    private final Mode mode;

    LibraryContestant(int port, Mode mode) {
        this.redis = SpringRedis.withLibrary(port);
        this.locks = redis.bean(LockTemplate.class);
        this.mode = mode;
    }

    @Override
    public @Nullable Held acquire(String name) {
        Optional<Lease> acquired = locks.tryAcquire(request(name));
        if (acquired.isEmpty()) {
            return null;
        }
        Lease lease = acquired.get();
        if (mode == Mode.TOKEN) {
            lease.fencingToken();
        }
        return mode == Mode.UNAWAITED ? releasedUnawaited(lease) : lease::close;
    }

    private LockRequest request(String name) {
        LockRequest.Builder request = locks.request(name);
        if (mode == Mode.PERMITS) {
            return request.permits(Contestants.PERMITS).build();
        }
        return request.kind(mode == Mode.FAIR ? LockKind.FAIR : LockKind.REENTRANT)
                .build();
    }

    /** The one place that says how a release is not waited for. */
    private static Held releasedUnawaited(Lease lease) {
        return lease::releaseAsync;
    }

    @Override
    public Held acquireTogether(List<String> names) {
        MultiLock together =
                MultiLock.of(locks, names.stream().map(this::request).toList());
        return together.acquire()::release;
    }

    @Override
    public SentCommands sent() {
        return redis.sent();
    }

    @Override
    public void close() {
        redis.close();
    }
}
