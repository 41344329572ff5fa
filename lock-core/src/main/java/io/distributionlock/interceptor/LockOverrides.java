package io.distributionlock.interceptor;

import io.distributionlock.LockRequest;
import io.distributionlock.internal.Internal;
import java.time.Duration;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Configured times of locks by the keys of their annotations. A single bean of this type is used; the auto-configuration creates it from
 * the properties {@code distribution-lock.locks.*}.
 *
 * @hidden
 */
@Internal
public final class LockOverrides {

    private final Map<String, LockOverride> configured;
    private final Map<String, Optional<LockOverride>> byKey = new ConcurrentHashMap<>();

    /** @param configured the times for each configured key */
    public LockOverrides(Map<String, LockOverride> configured) {
        this.configured = Map.copyOf(configured);
    }

    Set<String> configuredKeys() {
        return configured.keySet();
    }

    /** The times for the key of an annotation, which may be configured in another form; {@code null} if there are none. */
    @Nullable
    LockOverride of(String key) {
        return configured.isEmpty()
                ? null
                : byKey.computeIfAbsent(key, this::find).orElse(null);
    }

    private Optional<LockOverride> find(String key) {
        return configured.keySet().stream()
                .filter(each -> isFor(each, key))
                .min(Comparator.comparing((String each) -> !each.equals(key))
                        .thenComparing(each -> !each.equals(inEnvironment(key)))
                        .thenComparing(Comparator.naturalOrder()))
                .map(configured::get);
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

    private static String inEnvironment(String key) {
        return key.codePoints()
                .filter(Character::isLetterOrDigit)
                .map(Character::toLowerCase)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
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
