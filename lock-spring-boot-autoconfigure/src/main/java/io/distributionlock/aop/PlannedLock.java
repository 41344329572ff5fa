package io.distributionlock.aop;

import io.distributionlock.LockRequest;

/** A lock that a call needs, and the annotation that asks for it. */
record PlannedLock(LockRequest request, LockDeclaration declaration) {

    String name() {
        return request.name();
    }

    /** One of two requests for the same name: the one that keeps everybody out, or else the one that holds longer. */
    PlannedLock strongerOf(PlannedLock other) {
        if (request.kind().isExclusive() != other.request.kind().isExclusive()) {
            return request.kind().isExclusive() ? this : other;
        }
        if (request.renewed() != other.request.renewed()) {
            return request.renewed() ? this : other;
        }
        return request.holdLockTime().compareTo(other.request.holdLockTime()) >= 0 ? this : other;
    }
}
