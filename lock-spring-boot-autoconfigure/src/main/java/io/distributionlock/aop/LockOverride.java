package io.distributionlock.aop;

import io.distributionlock.LockRequest;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What operations say about the locks of one key. It wins over the annotation; what is {@code null} leaves that as it is.
 *
 * @param tryLockTime how long an attempt waits
 * @param holdLockTime the length of the lease, fixed or renewed
 * @param renewed whether the lease is renewed until the method returns
 * @param maxHoldTime how long a renewed lock may be held
 * @param minHoldTime how long the lock stays taken at least
 */
public record LockOverride(
        @Nullable Duration tryLockTime,
        @Nullable Duration holdLockTime,
        @Nullable Boolean renewed,
        @Nullable Duration maxHoldTime,
        @Nullable Duration minHoldTime) {

    /** What a request becomes by this. */
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
        return request.build();
    }
}
