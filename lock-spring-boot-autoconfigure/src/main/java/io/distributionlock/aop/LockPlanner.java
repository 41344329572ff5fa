package io.distributionlock.aop;

import io.distributionlock.LockRequest;
import io.distributionlock.LockTemplate;
import java.util.function.Supplier;

/** Makes the request for a lock of what the template has by default, the annotation says, and operations have decided. */
final class LockPlanner {

    private final Supplier<LockOverrides> overrides;

    LockPlanner(Supplier<LockOverrides> overrides) {
        this.overrides = overrides;
    }

    PlannedLock plan(LockDeclaration declaration, String name, LockTemplate template) {
        return new PlannedLock(request(declaration, template.request(name)), declaration);
    }

    LockRequest request(LockDeclaration declaration, LockRequest.Builder defaults) {
        String key = declaration.annotation().key();
        LockRequest declared = declaration
                .settings()
                .applyTo(defaults)
                .onLost(declaration.annotation().onLost())
                .commitGuard(declaration.annotation().commitGuard())
                .label(key)
                .build();
        LockOverride override = overrides.get().of(declaration);
        return override == null ? declared : override.applyTo(declared);
    }

    LockOverrides overrides() {
        return overrides.get();
    }
}
