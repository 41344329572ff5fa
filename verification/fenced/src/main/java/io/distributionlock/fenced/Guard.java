package io.distributionlock.fenced;

import io.distributionlock.CommitGuard;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** What stands between a holder and its commit. */
enum Guard {
    /** Nothing: the transaction manager knows of no lock. */
    NONE(null),
    LOCAL(CommitGuard.LOCAL),
    REMOTE(CommitGuard.REMOTE),
    DATABASE(CommitGuard.DATABASE);

    private final @Nullable CommitGuard asked;

    Guard(@Nullable CommitGuard asked) {
        this.asked = asked;
    }

    /** What a request asks for. */
    CommitGuard asked() {
        return asked == null ? CommitGuard.LOCAL : asked;
    }

    /** As in the table and in the names of counters. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
