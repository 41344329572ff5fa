package io.distributionlock.interceptor;

import io.distributionlock.LockRequest;

/** A lock that a call needs, and the declaration that asks for it. */
record PlannedLock(LockRequest request, DeclaredLock declared) {

    String name() {
        return request.name();
    }

    /** One of two for the same name: see {@link LockRequest#strongerOf}. */
    PlannedLock strongerOf(PlannedLock other) {
        return request.strongerOf(other.request) == request ? this : other;
    }
}
