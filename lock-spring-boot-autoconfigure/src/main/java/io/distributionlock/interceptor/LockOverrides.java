package io.distributionlock.interceptor;

import io.distributionlock.LockRequest;
import io.distributionlock.internal.Internal;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Configured times of locks by the keys of their annotations, as written there. A single bean of this type is used; the
 * auto-configuration creates it from the properties {@code distribution-lock.locks.*}.
 *
 * @param byKey the times for each configured key
 * @hidden
 */
@Internal
public record LockOverrides(Map<String, LockOverride> byKey) {

    /** The times for the key of this lock. An environment variable can name a key only by its letters and digits, in lower case. */
    @Nullable
    public LockOverride of(DeclaredLock lock) {
        LockOverride exact = byKey.get(lock.settings().key());
        return exact != null ? exact : byKey.get(lock.keyInEnvironment());
    }

    public static String inEnvironment(String key) {
        return key.codePoints()
                .filter(Character::isLetterOrDigit)
                .map(Character::toLowerCase)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }

    public static final LockOverrides NONE = new LockOverrides(Map.of());

    public LockOverrides {
        byKey = Map.copyOf(byKey);
    }

    /**
     * Configured times for the locks of one key. They win over the annotation; {@code null} leaves its value unchanged.
     *
     * @param tryLockTime how long an attempt waits
     * @param leaseTime the length of the lease, fixed or renewed
     * @param renewed whether the lease is renewed until the method returns
     * @param maxHoldTime how long a renewed lock may be held
     * @param minHoldTime how long the lock is held at least
     * @param confirmRelease whether the end of the method waits for the answer to the release
     */
    public record LockOverride(
            @Nullable Duration tryLockTime,
            @Nullable Duration leaseTime,
            @Nullable Boolean renewed,
            @Nullable Duration maxHoldTime,
            @Nullable Duration minHoldTime,
            @Nullable Boolean confirmRelease) {

        /** The request with these times. */
        LockRequest applyTo(LockRequest declared) {
            LockRequest.Builder request = declared.toBuilder();
            if (tryLockTime != null) {
                request.tryLockTime(tryLockTime);
            }
            Duration lease = leaseTime == null ? declared.leaseTime() : leaseTime;
            boolean isRenewed = renewed == null ? declared.renewed() : renewed;
            if (isRenewed) {
                request.renewedLease(lease).maxHoldTime(maxHoldTime == null ? declared.maxHoldTime() : maxHoldTime);
            } else {
                request.holdLockTime(lease);
            }
            if (minHoldTime != null) {
                request.minHoldTime(minHoldTime);
            }
            if (confirmRelease != null) {
                request.confirmRelease(confirmRelease);
            }
            return request.build();
        }
    }
}
