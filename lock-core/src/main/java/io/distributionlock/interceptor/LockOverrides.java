package io.distributionlock.interceptor;

import io.distributionlock.LockRequest;
import io.distributionlock.internal.Internal;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Configured times of locks by the keys of their annotations. A single bean of this type is used; the auto-configuration creates it from
 * the properties {@code distribution-lock.locks.*}.
 *
 * @param byKey the times for each configured key
 * @param byName the same for those keys that are names, in the form of an environment variable
 * @hidden
 */
@Internal
public record LockOverrides(Map<String, LockOverride> byKey, Map<String, LockOverride> byName) {

    /** The times for the key of this lock: for the key as it is written, or for another form of the same name. */
    @Nullable
    LockOverride of(LockOperation lock) {
        String key = lock.settings().key();
        LockOverride exact = byKey.get(key);
        if (exact != null) {
            return exact;
        }
        LockOverride inEnvironment = byKey.get(lock.keyInEnvironment());
        return inEnvironment != null || !isName(key) ? inEnvironment : byName.get(lock.keyInEnvironment());
    }

    /**
     * Whether the times that are configured for this key are those of an annotation's key. As Spring Boot binds names, {@code report-db} is
     * {@code reportDb}; an environment variable can name any key by its letters and digits, in lower case.
     */
    static boolean isFor(String configured, String key) {
        String name = inEnvironment(key);
        return configured.equals(key)
                || configured.equals(name)
                || (isName(configured)
                        && isName(key)
                        && inEnvironment(configured).equals(name));
    }

    private static boolean isName(String key) {
        return key.codePoints().allMatch(each -> Character.isLetterOrDigit(each) || each == '-' || each == '_');
    }

    static String inEnvironment(String key) {
        return key.codePoints()
                .filter(Character::isLetterOrDigit)
                .map(Character::toLowerCase)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }

    public static final LockOverrides NONE = new LockOverrides(Map.of());

    public LockOverrides(Map<String, LockOverride> byKey) {
        this(byKey, byName(byKey));
    }

    public LockOverrides {
        byKey = Map.copyOf(byKey);
        byName = Map.copyOf(byName);
    }

    private static Map<String, LockOverride> byName(Map<String, LockOverride> byKey) {
        Map<String, LockOverride> found = new HashMap<>();
        byKey.forEach((key, times) -> {
            if (isName(key)) {
                found.putIfAbsent(inEnvironment(key), times);
            }
        });
        return found;
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
