package io.distributionlock.interceptor;

import io.distributionlock.LockKind;
import io.distributionlock.LockRequest;
import io.distributionlock.interceptor.LockOverrides.LockOverride;
import io.distributionlock.key.LockCondition;
import io.distributionlock.key.LockDeclaration;
import org.jspecify.annotations.Nullable;

/**
 * A lock that a method declares, and what has been read from its annotation.
 *
 * @param place where it is declared, for messages
 * @param settings what its annotation asks for
 * @param fallbacks the methods that answer when it is not acquired
 * @param condition which calls need it; {@code null} if all do
 */
record LockOperation(
        LockDeclaration declaration,
        String place,
        LockSettings settings,
        FallbackMethods fallbacks,
        @Nullable LockCondition condition) {

    /**
     * The request for this lock: the defaults, what the annotation says, and what is configured for its key.
     *
     * @throws IllegalArgumentException if the configured times do not fit the annotation
     */
    LockRequest request(LockRequest.Builder defaults, LockOverrides overrides) {
        LockRequest declared = settings.applyTo(defaults).build();
        LockOverride override = overrides.of(key());
        return override == null ? declared : override.applyTo(declared);
    }

    /** Its key as it is written. */
    String key() {
        return settings.key();
    }

    /** Whether the method asks for a permit rather than a lock. */
    boolean isPermit() {
        return settings.kind() == LockKind.PERMIT;
    }

    /** How many permits there are; 0 for a lock. */
    int permits() {
        return settings.permits();
    }
}
