package io.distributionlock.aop;

import java.util.Map;

/**
 * What operations say about locks, by the keys of their annotations, as these are written there. One bean of this type is used;
 * the auto-configuration makes it of the properties {@code distribution-lock.locks.*}.
 *
 * @param byKey for each key that something is said about
 */
public record LockOverrides(Map<String, LockOverride> byKey) {

    static final LockOverrides NONE = new LockOverrides(Map.of());

    public LockOverrides {
        byKey = Map.copyOf(byKey);
    }
}
