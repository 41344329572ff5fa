package io.distributionlock.state;

import io.distributionlock.internal.Internal;
import java.util.function.BooleanSupplier;

/**
 * Whether an acquire may be uncontended, although a duplicate of an uncontended one ignores the tombstone of its claim. Such a claim is
 * released again and again; so none is sent while duplicates are likely, nor while very many releases are repeated already.
 *
 * <p>All names of a process share it. Thread-safe.
 *
 * @hidden
 */
@Internal
public final class FastPathGate {

    /** A connection that has just failed may fail again, and each time leave copies of commands behind. */
    private static final long CLOSED_NANOS = Times.nanos(10_000);

    private final BooleanSupplier releasesAreMany;
    private volatile long closedUntil;

    /** @param releasesAreMany whether very many releases are being repeated */
    public FastPathGate(BooleanSupplier releasesAreMany) {
        this.releasesAreMany = releasesAreMany;
    }

    /** An acquire was answered late or not at all, or the connection is new. */
    public void close(long now) {
        closedUntil = Times.after(now, CLOSED_NANOS);
    }

    boolean isOpen(long now) {
        return now >= closedUntil && !releasesAreMany.getAsBoolean();
    }
}
