package io.distributionlock.aop;

import io.distributionlock.LockRequest;
import io.distributionlock.LockTemplate;
import io.distributionlock.annotation.DistributionLock;
import java.util.function.Supplier;

/** Builds the request for a lock from the template's defaults, the annotation and the configured overrides. */
final class LockPlanner {

    private final Supplier<LockOverrides> overrides;

    LockPlanner(Supplier<LockOverrides> overrides) {
        this.overrides = overrides;
    }

    PlannedLock plan(DeclaredLock lock, String name, LockTemplate template) {
        return new PlannedLock(request(lock, template.request(name)), lock);
    }

    LockRequest request(DeclaredLock lock, LockRequest.Builder defaults) {
        DistributionLock annotation = lock.declaration().annotation();
        LockRequest declared = lock.settings()
                .applyTo(defaults)
                .onLost(annotation.onLost())
                .commitGuard(annotation.commitGuard())
                .label(annotation.key())
                .build();
        LockOverride override = overrides.get().of(lock);
        return override == null ? declared : override.applyTo(declared);
    }

    LockOverrides overrides() {
        return overrides.get();
    }
}
