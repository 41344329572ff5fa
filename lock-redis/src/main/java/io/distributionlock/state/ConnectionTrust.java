package io.distributionlock.state;

import io.distributionlock.internal.Internal;
import java.util.function.BooleanSupplier;

/**
 * Whether an acquire may be plain, although a late copy of a plain one ignores the tombstone of its claim. Such a claim is released again
 * and again; so none is sent while late copies are likely, nor while very many releases are repeated already.
 *
 * <p>All names of a process share it. Thread-safe.
 *
 * @hidden
 */
@Internal
public final class ConnectionTrust {

    /** A connection that has just failed may fail again, and each time leave copies of commands behind. */
    private static final long DISTRUST_NANOS = Times.nanos(10_000);

    private final BooleanSupplier releasesAreMany;
    private volatile long lostUntil;

    /** @param releasesAreMany whether very many releases are being repeated */
    public ConnectionTrust(BooleanSupplier releasesAreMany) {
        this.releasesAreMany = releasesAreMany;
    }

    /** An acquire was answered late or not at all, or the connection is new. */
    public void lose(long now) {
        lostUntil = Times.after(now, DISTRUST_NANOS);
    }

    boolean isGiven(long now) {
        return now >= lostUntil && !releasesAreMany.getAsBoolean();
    }
}
