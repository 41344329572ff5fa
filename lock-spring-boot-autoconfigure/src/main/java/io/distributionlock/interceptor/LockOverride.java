package io.distributionlock.interceptor;

import io.distributionlock.LockRequest;
import io.distributionlock.internal.Internal;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Configured times for the locks of one key. They win over the annotation; {@code null} leaves its value unchanged.
 *
 * @param tryLockTime how long an attempt waits
 * @param holdLockTime the length of the lease, fixed or renewed
 * @param renewed whether the lease is renewed until the method returns
 * @param maxHoldTime how long a renewed lock may be held
 * @param minHoldTime how long the lock is held at least
 * @param confirmRelease whether the end of the method waits for the answer to the release
 * @hidden
 */
@Internal
public record LockOverride(
        @Nullable Duration tryLockTime,
        @Nullable Duration holdLockTime,
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
        Duration lease = holdLockTime == null ? declared.holdLockTime() : holdLockTime;
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
