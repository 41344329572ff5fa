package io.distributionlock;

import io.distributionlock.internal.LockTimes;
import io.distributionlock.internal.MessageText;
import io.distributionlock.internal.UnfitValueException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A request for one lock: its name and kind, how long to wait for it and how long to hold it.
 *
 * <p>A lease is either <em>renewed</em> until the holder releases it, so that a crash frees the lock after at most
 * {@code leaseTime}; or <em>fixed</em>: it expires after {@code leaseTime}, whether or not the work has ended.
 *
 * @param name the lock's name; any text of at most 4096 characters that is neither blank nor contains an
 *     unpaired surrogate
 * @param kind the kind of the lock
 * @param permits how many owners may hold a {@link LockKind#PERMIT} of this name at once; 0 for the other kinds
 * @param tryLockTime how long to wait for the lock; zero makes a single attempt, {@link #FOREVER} waits without limit
 * @param leaseTime the length of the lease, fixed or renewed
 * @param renewed whether the lease is renewed until the lock is released
 * @param maxHoldTime how long a renewed lock may be held before it is released and reported as lost, or {@code null} for no limit
 * @param minHoldTime how long the lock stays held at least, from its acquisition, even if it is released sooner
 * @param onLost what happens if the lease is lost before the guarded work has ended. Applies to work that this library runs, such as by
 *     {@link LockTemplate#execute}; callers that acquire a {@link Lease} directly use {@link Lease#onLost}
 * @param commitGuard how the lease is checked before a transaction inside or around the work commits
 * @param confirmRelease whether the end of the work waits until the backend has answered the release. Otherwise it only sends the
 *     release: this process's next attempt finds the lock free, another process may still find it busy for a moment, and a loss that only
 *     the answer shows is reported but not thrown. Applies to the same work as {@code onLost}; callers that hold a {@link Lease}
 *     use {@link Lease#releaseAsync()}
 * @param label the purpose of the lock, with few distinct values in an application: metrics and events carry it, because names would
 *     be too many. The key of an annotation; empty if not set
 * @param retryTime for how long the caller will ask again if this single attempt finds the lock busy; zero if it gives up, as almost
 *     always. Set by this library when it {@linkplain MultiLock acquires several locks}. An executor may ignore it; it lets one
 *     repeat a command that was refused for now, and keep a lock that is only busy at first out of its statistics
 * @param refuseReentry whether the attempt fails as busy, without waiting, if its owner holds the lock already
 * @param refuseRepeats whether {@code minHoldTime} keeps out repeats of the work: it counts only if the work succeeds, and an attempt
 *     that finds the lock busy fails with {@link LockFailureReason#REPEATED}. Applies to the same work as {@code onLost}; callers that
 *     hold a {@link Lease} use {@link Lease#waiveMinHoldTime()}
 * @param fenced whether the fencing token is drawn with the acquisition, rather than when {@link Lease#fencingToken()} is first called
 */
public record LockRequest(
        String name,
        LockKind kind,
        int permits,
        Duration tryLockTime,
        Duration leaseTime,
        boolean renewed,
        @Nullable Duration maxHoldTime,
        Duration minHoldTime,
        OnLost onLost,
        CommitGuard commitGuard,
        boolean confirmRelease,
        String label,
        Duration retryTime,
        boolean refuseReentry,
        boolean refuseRepeats,
        boolean fenced) {

    /** A waiting time without limit. */
    public static final Duration FOREVER = LockTimes.MAX_WAIT;

    /** How many characters a name may have. */
    static final int MAX_NAME_LENGTH = 4_096;

    /**
     * @throws IllegalArgumentException if a value is {@code null} or out of its range, naming it and the lock
     */
    public LockRequest {
        requireName(name);
        try {
            requirePart("kind", kind);
            requirePermits(kind, permits);
            requirePart("onLost", onLost);
            requirePart("commitGuard", commitGuard);
            requireResolved(commitGuard);
            requirePart("label", label);
            LockTimes.requireWait("tryLockTime", tryLockTime);
            LockTimes.requireHold(renewed ? "leaseTime" : "holdLockTime", leaseTime);
            if (maxHoldTime != null) {
                LockTimes.requireHold("maxHoldTime", maxHoldTime);
            }
            requireMinHold(minHoldTime, leaseTime, renewed);
            LockTimes.requireWait("retryTime", retryTime);
            requireExclusive(refuseRepeats, kind, "it refuses repeats (refuseRepeats)");
            requireExclusive(commitGuard == CommitGuard.DATABASE, kind, "its commitGuard is DATABASE");
        } catch (UnfitValueException e) {
            throw e.at("Lock '" + MessageText.of(name) + "': ");
        }
        // Before the work reads anything, it announces the token.
        fenced |= commitGuard == CommitGuard.DATABASE;
    }

    private static void requireResolved(CommitGuard guard) {
        if (guard == CommitGuard.DEFAULT) {
            throw new UnfitValueException(
                    "%s is DEFAULT, which only a builder can resolve.",
                    "Use LOCAL, REMOTE or DATABASE.", "commitGuard");
        }
    }

    private static void requireExclusive(boolean wanted, LockKind kind, String what) {
        if (wanted && !kind.isExclusive()) {
            throw new UnfitValueException(
                    what + ", but its kind is " + kind + ", which many hold at once.", "Use an exclusive kind.");
        }
    }

    /**
     * A name is sent with every command, and stored by every process that holds the lock or waits for it. It is sent as UTF-8, which cannot
     * represent an unpaired surrogate.
     */
    static void requireName(@Nullable String name) {
        if (name == null) {
            throw new IllegalArgumentException("The name of a lock is null. Use a text that says what is locked.");
        }
        if (name.isBlank()) {
            throw new IllegalArgumentException("The name of a lock is blank. Use a text that says what is locked.");
        }
        if (name.length() > MAX_NAME_LENGTH) {
            throw new IllegalArgumentException("The name of lock '" + MessageText.of(name) + "' is longer than "
                    + MAX_NAME_LENGTH + " characters. Use a shorter one, such as a digest of it (SHA-256).");
        }
        if (hasUnpairedSurrogate(name)) {
            throw new IllegalArgumentException("Lock '" + MessageText.of(name)
                    + "' has an unpaired surrogate in its name. Use whole characters: do not cut a text within a"
                    + " surrogate pair.");
        }
    }

    private static boolean hasUnpairedSurrogate(String name) {
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

    private static void requirePermits(LockKind kind, int permits) {
        if (kind == LockKind.PERMIT && permits < 1) {
            throw new UnfitValueException(
                    "%s is " + permits + ": there is at least one.",
                    "Set how many owners may hold one at once.",
                    "permits");
        }
        if (kind != LockKind.PERMIT && permits != 0) {
            throw new UnfitValueException(
                    "%s is " + permits + ", but %s is " + kind + ": a name is a lock or has permits, not both.",
                    "Leave one of them out.",
                    "permits",
                    "kind");
        }
    }

    private static void requirePart(String part, @Nullable Object value) {
        if (value == null) {
            throw new UnfitValueException("%s is null.", "Leave it out to use the default.", part);
        }
    }

    /** A builder that starts with the values of this request. */
    public Builder toBuilder() {
        Builder builder = new Builder(name, LockDefaults.STANDARD);
        builder.kind = kind;
        builder.kindChosen = kind != LockKind.REENTRANT;
        builder.permits = permits;
        builder.tryLockTime = tryLockTime;
        builder.leaseTime = leaseTime;
        builder.renewed = renewed;
        builder.maxHoldTime = maxHoldTime;
        builder.minHoldTime = minHoldTime;
        builder.onLost = onLost;
        builder.commitGuard = commitGuard;
        builder.confirmRelease = confirmRelease;
        builder.label = label;
        builder.retryTime = retryTime;
        builder.refuseReentry = refuseReentry;
        builder.refuseRepeats = refuseRepeats;
        builder.fenced = fenced;
        return builder;
    }

    /**
     * Of two requests for one name, the one that satisfies both: the exclusive one or the one with fewer permits, otherwise the one with
     * the longer lease. If one refuses repeats, its waiting time counts: a repeat is refused at once.
     *
     * @throws IllegalArgumentException if one asks for a lock and the other for a permit
     */
    public LockRequest strongerOf(LockRequest other) {
        if ((permits == 0) != (other.permits == 0)) {
            throw new IllegalArgumentException("'" + MessageText.of(name) + "' is requested as " + kind + " and as "
                    + other.kind + " together. A name is a lock or has permits, not both: use another name for one of"
                    + " them.");
        }
        LockRequest stronger = withStrongerLease(other);
        Builder both = stronger.toBuilder();
        both.refuseReentry = refuseReentry || other.refuseReentry;
        if (refuseRepeats != other.refuseRepeats) {
            both.tryLockTime = (refuseRepeats ? this : other).tryLockTime;
            Duration within = minHoldTime.compareTo(other.minHoldTime) > 0 ? minHoldTime : other.minHoldTime;
            both.refuseRepeats = true;
            both.minHoldTime = both.renewed || within.compareTo(both.leaseTime) < 0 ? within : both.leaseTime;
        }
        both.fenced = fenced || other.fenced;
        return both.build();
    }

    private LockRequest withStrongerLease(LockRequest other) {
        if (kind.isExclusive() != other.kind.isExclusive()) {
            return kind.isExclusive() ? this : other;
        }
        if (permits != other.permits) {
            return permits < other.permits ? this : other;
        }
        if (renewed != other.renewed) {
            return renewed ? this : other;
        }
        return leaseTime.compareTo(other.leaseTime) >= 0 ? this : other;
    }

    private static void requireMinHold(Duration minHoldTime, Duration holdLockTime, boolean renewed) {
        requirePart("minHoldTime", minHoldTime);
        if (minHoldTime.isNegative()) {
            throw new UnfitValueException(
                    "%s is " + LockTimes.shown(minHoldTime) + ": it is zero (none) or more.",
                    "Leave it out for none.",
                    "minHoldTime");
        }
        if (minHoldTime.compareTo(LockTimes.MAX_HOLD) > 0) {
            throw new UnfitValueException(
                    "%s is " + LockTimes.shown(minHoldTime) + ": a lock is held for at most 365 days.",
                    "Shorten it.",
                    "minHoldTime");
        }
        if (!renewed && minHoldTime.compareTo(holdLockTime) > 0) {
            throw new UnfitValueException(
                    "%s (" + LockTimes.shown(minHoldTime) + ") is longer than %s (" + LockTimes.shown(holdLockTime)
                            + "): a lock cannot stay longer than it is held.",
                    "Shorten %s or lengthen %s.",
                    "minHoldTime",
                    "holdLockTime");
        }
    }

    @Override
    public String toString() {
        return "LockRequest[name=" + MessageText.of(name) + ", kind=" + kind
                + (permits == 0 ? "" : ", permits=" + permits) + ", tryLockTime=" + tryLockTime
                + ", leaseTime=" + leaseTime + ", renewed=" + renewed + ", maxHoldTime=" + maxHoldTime
                + ", minHoldTime="
                + minHoldTime
                + ", onLost=" + onLost + ", commitGuard=" + commitGuard + ", confirmRelease=" + confirmRelease
                + ", label=" + MessageText.of(label) + ", refuseReentry=" + refuseReentry
                + ", refuseRepeats=" + refuseRepeats + ", fenced=" + fenced + "]";
    }

    /** A builder with {@link LockDefaults#STANDARD}. */
    public static Builder named(String name) {
        return named(name, LockDefaults.STANDARD);
    }

    /** A builder with the given defaults. */
    public static Builder named(String name, LockDefaults defaults) {
        return new Builder(name, defaults);
    }

    /** Builds a {@link LockRequest}; values that are not set come from the defaults. Not thread-safe. */
    public static final class Builder {

        private final String name;
        private LockKind kind = LockKind.REENTRANT;
        private boolean kindChosen;
        private int permits;
        private Duration tryLockTime;
        private Duration leaseTime;
        private boolean renewed = true;
        private @Nullable Duration maxHoldTime;
        private Duration minHoldTime = Duration.ZERO;
        private OnLost onLost = OnLost.REPORT;
        private final CommitGuard defaultGuard;
        private CommitGuard commitGuard = CommitGuard.DEFAULT;
        private boolean confirmRelease;
        private String label = "";
        private Duration retryTime = Duration.ZERO;
        private boolean refuseReentry;
        private boolean refuseRepeats;
        private boolean fenced;

        private Builder(String name, LockDefaults defaults) {
            this.name = name;
            this.tryLockTime = defaults.tryLockTime();
            this.leaseTime = defaults.leaseTime();
            this.maxHoldTime = defaults.maxHoldTime();
            this.confirmRelease = defaults.confirmRelease();
            this.defaultGuard = defaults.commitGuard();
        }

        /** Sets the kind; {@link LockKind#REENTRANT} by default. With {@link #permits}, there is no other than {@link LockKind#PERMIT}. */
        public Builder kind(LockKind kind) {
            this.kind = kind;
            this.kindChosen = true;
            return this;
        }

        /** Asks for one of so many permits, {@link LockKind#PERMIT}, instead of a lock. At least 1. */
        public Builder permits(int permits) {
            if (!kindChosen) {
                this.kind = LockKind.PERMIT;
            }
            this.permits = permits;
            return this;
        }

        /** Waits at most this long; zero makes a single attempt. */
        public Builder tryLockTime(Duration tryLockTime) {
            this.tryLockTime = tryLockTime;
            return this;
        }

        /** Says that the caller asks again for this long if a single attempt finds the lock busy. */
        public Builder retryTime(Duration retryTime) {
            this.retryTime = retryTime;
            return this;
        }

        /** Holds the lock for at most this long: the lease is fixed and not renewed. */
        public Builder holdLockTime(Duration holdLockTime) {
            this.leaseTime = holdLockTime;
            this.renewed = false;
            this.maxHoldTime = null;
            return this;
        }

        /** Holds the lock by a lease of this length, which is renewed until it is released. */
        public Builder renewedLease(Duration leaseTime) {
            this.leaseTime = leaseTime;
            this.renewed = true;
            return this;
        }

        /** Releases a renewed lock after this long and reports it as lost; {@code null} removes the limit. */
        public Builder maxHoldTime(@Nullable Duration maxHoldTime) {
            this.maxHoldTime = maxHoldTime;
            return this;
        }

        /** Keeps the lock held for at least this long after its acquisition, even if it is released sooner. */
        public Builder minHoldTime(Duration minHoldTime) {
            this.minHoldTime = minHoldTime;
            return this;
        }

        /** Sets what happens when the lease is lost; {@link OnLost#REPORT} by default. */
        public Builder onLost(OnLost onLost) {
            this.onLost = onLost;
            return this;
        }

        /**
         * Sets how the lease is checked before a commit: by default as the defaults say ({@link LockDefaults#commitGuard}), and
         * {@link CommitGuard#LOCAL} for a kind that many hold at once.
         */
        public Builder commitGuard(CommitGuard commitGuard) {
            this.commitGuard = commitGuard;
            return this;
        }

        /** Sets whether the end of the work waits for the answer to the release; {@code true} by default. */
        public Builder confirmRelease(boolean confirmRelease) {
            this.confirmRelease = confirmRelease;
            return this;
        }

        /**
         * Sets the purpose of the lock, with few distinct values in an application, such as {@code "stock"} for the locks
         * {@code stock:4711} and {@code stock:4712}. Metrics are tagged with it.
         */
        public Builder label(String label) {
            this.label = label;
            return this;
        }

        /** Fails as busy, without waiting, if the owner of the attempt holds the lock already. Otherwise it enters again. */
        public Builder refuseReentry() {
            this.refuseReentry = true;
            return this;
        }

        /**
         * Refuses to repeat the work within this time of its beginning, unless it fails: the lock is then free at once. A repeat does
         * not wait, and is refused to the owner of the lock as well. Sets {@link #minHoldTime}, {@link #tryLockTime} and
         * {@link #refuseReentry}.
         *
         * @param within more than zero, at most 365 days
         * @throws IllegalArgumentException if it is not
         */
        public Builder refuseRepeats(Duration within) {
            LockTimes.requireWithin("Lock '" + MessageText.of(name) + "': refuseRepeats", within);
            this.refuseRepeats = true;
            return minHoldTime(within).tryLockTime(Duration.ZERO).refuseReentry();
        }

        /**
         * Draws the fencing token with the acquisition, which makes an uncontended one slightly slower. Otherwise the token is drawn
         * when {@link Lease#fencingToken()} is first called, by a command of its own.
         */
        public Builder fenced() {
            this.fenced = true;
            return this;
        }

        /**
         * @throws IllegalArgumentException if a value is out of its range, naming it and the lock
         */
        public LockRequest build() {
            return new LockRequest(
                    name,
                    kind,
                    permits,
                    tryLockTime,
                    leaseTime,
                    renewed,
                    maxHoldTime,
                    minHoldTime,
                    onLost,
                    commitGuard == CommitGuard.DEFAULT ? guardByDefault() : commitGuard,
                    confirmRelease,
                    label,
                    retryTime,
                    refuseReentry,
                    refuseRepeats,
                    fenced);
        }

        private CommitGuard guardByDefault() {
            // The request refuses a kind of null by its name.
            return kind == null || kind.isExclusive() ? defaultGuard : CommitGuard.LOCAL;
        }
    }
}
