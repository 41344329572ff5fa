package io.distributionlock.interceptor;

import io.distributionlock.internal.Internal;
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
        LockOverride exact = byKey.get(lock.declaration().annotation().key());
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
}
