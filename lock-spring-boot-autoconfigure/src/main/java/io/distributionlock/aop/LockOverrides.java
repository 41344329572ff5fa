package io.distributionlock.aop;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What operations say about locks, by the keys of their annotations, as these are written there. One bean of this type is used;
 * the auto-configuration makes it of the properties {@code distribution-lock.locks.*}.
 *
 * @param byKey for each key that something is said about
 */
public record LockOverrides(Map<String, LockOverride> byKey) {

    /** What is said about the key of this lock, which an environment variable can name only by its letters and digits, all of them small. */
    @Nullable
    LockOverride of(DeclaredLock lock) {
        LockOverride exact = byKey.get(lock.declaration().annotation().key());
        return exact != null ? exact : byKey.get(lock.keyInEnvironment());
    }

    static String inEnvironment(String key) {
        return key.codePoints()
                .filter(Character::isLetterOrDigit)
                .map(Character::toLowerCase)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }

    static final LockOverrides NONE = new LockOverrides(Map.of());

    public LockOverrides {
        byKey = Map.copyOf(byKey);
    }
}
