package io.distributionlock.interceptor;

import io.distributionlock.LockRequest;
import io.distributionlock.LockTemplate;
import io.distributionlock.annotation.DistributionLock;
import io.distributionlock.annotation.Reentry;
import io.distributionlock.interceptor.LockOverrides.LockOverride;
import io.distributionlock.internal.Internal;
import java.util.function.Supplier;

/**
 * Builds the request for a lock from the template's defaults, the annotation and the configured overrides.
 *
 * @hidden
 */
@Internal
public final class LockPlanner {

    private final Supplier<LockOverrides> overrides;

    LockPlanner(Supplier<LockOverrides> overrides) {
        this.overrides = overrides;
    }

    PlannedLock plan(LockedMethod method, DeclaredLock lock, String name, LockTemplate template) {
        LockRequest.Builder defaults = template.request(name);
        if (!method.injections().isEmpty()) {
            // The parameter is filled in on a thread that may not block.
            defaults.fenced();
        }
        return new PlannedLock(request(lock, defaults), lock);
    }

    public LockRequest request(DeclaredLock lock, LockRequest.Builder defaults) {
        DistributionLock annotation = lock.declaration().annotation();
        if (annotation.reentry() == Reentry.REFUSE) {
            defaults.refuseReentry();
        }
        LockRequest declared = lock.settings()
                .applyTo(defaults)
                .onLost(annotation.onLost())
                .commitGuard(annotation.commitGuard())
                .label(annotation.key())
                .build();
        LockOverride override = overrides.get().of(lock);
        return override == null ? declared : override.applyTo(declared);
    }

    public LockOverrides overrides() {
        return overrides.get();
    }
}
