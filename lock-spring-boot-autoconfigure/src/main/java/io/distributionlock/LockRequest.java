package io.distributionlock;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What is asked of a {@link LockExecutor}: one lock, how long to wait for it and how long to hold it.
 *
 * <p>A lock is held in one of two ways. <em>Renewed</em>: the lease is prolonged for as long as the holder lives and has
 * not released, so a crash frees the lock after at most {@code holdLockTime}. <em>Fixed</em>: the lock ends after
 * {@code holdLockTime}, whether or not the work has ended.
 *
 * @param name the lock's name; any text but a blank one, or one with half a surrogate pair, which no encoding can send
 * @param kind in which way the lock is asked for
 * @param tryLockTime how long to wait for the lock; zero means a single attempt, {@link #FOREVER} no limit
 * @param holdLockTime the length of the lease
 * @param renewed whether the lease is renewed until the lock is released
 * @param maxHoldTime how long a renewed lock may be held before it is given up, or {@code null} for no limit
 * @param minHoldTime how long the lock stays taken at least, counted from its start, even if it is released sooner
 * @param onLost what happens if the lease is lost before the work that it guards has ended; for work that
 *     {@link LockTemplate#execute} and the like run. Who takes a {@link Lease} asks that
 * @param commitGuard how the lease is checked before a transaction inside or around that work commits
 * @param label what the lock is for, in a word of which there are few in an application: metrics and events carry it, where names
 *     would be too many. The key of an annotation; empty if nothing was said
 */
public record LockRequest(
        String name,
        LockKind kind,
        Duration tryLockTime,
        Duration holdLockTime,
        boolean renewed,
        @Nullable Duration maxHoldTime,
        Duration minHoldTime,
        OnLost onLost,
        CommitGuard commitGuard,
        String label) {

    /** A waiting time without limit. */
    public static final Duration FOREVER = LockTimes.LONGEST_WAIT;

    /**
     * @throws IllegalArgumentException if a value is {@code null} or out of its range, naming it and the lock
     */
    public LockRequest {
        requireName(name);
        try {
            requirePart("kind", kind);
            requirePart("onLost", onLost);
            requirePart("commitGuard", commitGuard);
            requirePart("label", label);
            LockTimes.requireWait("tryLockTime", tryLockTime);
            LockTimes.requireHold("holdLockTime", holdLockTime);
            if (maxHoldTime != null) {
                LockTimes.requireHold("maxHoldTime", maxHoldTime);
            }
            requireMinHold(minHoldTime, holdLockTime, renewed);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("Lock '" + MessageText.of(name) + "': " + e.getMessage(), e);
        }
    }

    /** Names travel as UTF-8; half a surrogate pair would come back as another name, which nobody waits for. */
    static void requireName(@Nullable String name) {
        if (name == null) {
            throw new IllegalArgumentException("The name of a lock is null. Give it a text that says what is locked.");
        }
        if (name.isBlank()) {
            throw new IllegalArgumentException("The name of a lock is blank. Give it a text that says what is locked.");
        }
        if (hasHalfAPair(name)) {
            throw new IllegalArgumentException("Lock '" + MessageText.of(name)
                    + "' has half a surrogate pair in its name. Give it whole characters: do not cut a text"
                    + " inside of one.");
        }
    }

    private static boolean hasHalfAPair(String name) {
        for (int i = 0; i < name.length(); i++) {
            if (Character.isSurrogate(name.charAt(i))) {
                if (i + 1 == name.length() || !Character.isSurrogatePair(name.charAt(i), name.charAt(i + 1))) {
                    return true;
                }
                i++;
            }
        }
        return false;
    }

    private static void requirePart(String part, @Nullable Object value) {
        if (value == null) {
            throw new IllegalArgumentException(part + " is null. Leave it out to use the default.");
        }
    }

    /** Starts a request that is like this one where nothing else is said. */
    public Builder toBuilder() {
        Builder builder = new Builder(name, LockDefaults.STANDARD);
        builder.kind = kind;
        builder.tryLockTime = tryLockTime;
        builder.holdLockTime = holdLockTime;
        builder.renewed = renewed;
        builder.maxHoldTime = maxHoldTime;
        builder.minHoldTime = minHoldTime;
        builder.onLost = onLost;
        builder.commitGuard = commitGuard;
        builder.label = label;
        return builder;
    }

    /** The same request with another waiting time. */
    LockRequest waiting(Duration newTryLockTime) {
        return toBuilder().tryLockTime(newTryLockTime).build();
    }

    /** Of two requests for one name, the one that serves both: the one that keeps everybody out, or else the one that holds longer. */
    public LockRequest strongerOf(LockRequest other) {
        if (kind.isExclusive() != other.kind.isExclusive()) {
            return kind.isExclusive() ? this : other;
        }
        if (renewed != other.renewed) {
            return renewed ? this : other;
        }
        return holdLockTime.compareTo(other.holdLockTime) >= 0 ? this : other;
    }

    private static void requireMinHold(Duration minHoldTime, Duration holdLockTime, boolean renewed) {
        requirePart("minHoldTime", minHoldTime);
        if (minHoldTime.isNegative()) {
            throw new IllegalArgumentException("minHoldTime is " + LockTimes.shown(minHoldTime)
                    + ": it is zero (none) or more. Leave it out for none.");
        }
        if (minHoldTime.compareTo(LockTimes.LONGEST_HOLD) > 0) {
            throw new IllegalArgumentException("minHoldTime is " + LockTimes.shown(minHoldTime)
                    + ": a lock is held for at most 365 days. Shorten it.");
        }
        if (!renewed && minHoldTime.compareTo(holdLockTime) > 0) {
            throw new IllegalArgumentException("minHoldTime (" + LockTimes.shown(minHoldTime)
                    + ") is longer than holdLockTime (" + LockTimes.shown(holdLockTime)
                    + "): a lock cannot stay longer than it is held. Shorten the one or lengthen the other.");
        }
    }

    @Override
    public String toString() {
        return "LockRequest[name=" + MessageText.of(name) + ", kind=" + kind + ", tryLockTime=" + tryLockTime
                + ", holdLockTime="
                + holdLockTime + ", renewed=" + renewed + ", maxHoldTime=" + maxHoldTime + ", minHoldTime="
                + minHoldTime
                + ", onLost=" + onLost + ", commitGuard=" + commitGuard + ", label=" + MessageText.of(label) + "]";
    }

    /** Starts a request for a name with {@link LockDefaults#STANDARD}. */
    public static Builder named(String name) {
        return named(name, LockDefaults.STANDARD);
    }

    /** Starts a request for a name with the given defaults. */
    public static Builder named(String name, LockDefaults defaults) {
        return new Builder(name, defaults);
    }

    /** Collects the parts of a {@link LockRequest}; what is not said comes from the defaults. Not thread-safe. */
    public static final class Builder {

        private final String name;
        private LockKind kind = LockKind.REENTRANT;
        private Duration tryLockTime;
        private Duration holdLockTime;
        private boolean renewed = true;
        private @Nullable Duration maxHoldTime;
        private Duration minHoldTime = Duration.ZERO;
        private OnLost onLost = OnLost.REPORT;
        private CommitGuard commitGuard = CommitGuard.LOCAL;
        private String label = "";

        private Builder(String name, LockDefaults defaults) {
            this.name = name;
            this.tryLockTime = defaults.tryLockTime();
            this.holdLockTime = defaults.holdLockTime();
            this.maxHoldTime = defaults.maxHoldTime();
        }

        /** Asks for the lock in this way; {@link LockKind#REENTRANT} unless said. */
        public Builder kind(LockKind kind) {
            this.kind = kind;
            return this;
        }

        /** Waits at most this long; zero makes a single attempt. */
        public Builder tryLockTime(Duration tryLockTime) {
            this.tryLockTime = tryLockTime;
            return this;
        }

        /** Holds the lock for exactly this long at most: the lease is fixed and not renewed. */
        public Builder holdLockTime(Duration holdLockTime) {
            this.holdLockTime = holdLockTime;
            this.renewed = false;
            this.maxHoldTime = null;
            return this;
        }

        /** Holds the lock by leases of this length, renewed until it is released. */
        public Builder renewedLease(Duration leaseTime) {
            this.holdLockTime = leaseTime;
            this.renewed = true;
            return this;
        }

        /** Gives a renewed lock up after this long and reports it as lost; {@code null} takes the limit away. */
        public Builder maxHoldTime(@Nullable Duration maxHoldTime) {
            this.maxHoldTime = maxHoldTime;
            return this;
        }

        /** Keeps the lock taken for at least this long after its start, even if it is released sooner. */
        public Builder minHoldTime(Duration minHoldTime) {
            this.minHoldTime = minHoldTime;
            return this;
        }

        /** What a lost lease leads to; {@link OnLost#REPORT} unless said. */
        public Builder onLost(OnLost onLost) {
            this.onLost = onLost;
            return this;
        }

        /** How the lease is checked before a commit; {@link CommitGuard#LOCAL} unless said. */
        public Builder commitGuard(CommitGuard commitGuard) {
            this.commitGuard = commitGuard;
            return this;
        }

        /**
         * Says what the lock is for, in a word of which there are few in an application, such as {@code "stock"} for the locks
         * {@code stock:4711} and {@code stock:4712}. Metrics are tagged with it.
         */
        public Builder label(String label) {
            this.label = label;
            return this;
        }

        /**
         * @throws IllegalArgumentException if a value is out of its range, naming it and the lock
         */
        public LockRequest build() {
            return new LockRequest(
                    name,
                    kind,
                    tryLockTime,
                    holdLockTime,
                    renewed,
                    maxHoldTime,
                    minHoldTime,
                    onLost,
                    commitGuard,
                    label);
        }
    }
}
