package io.distributionlock.interceptor;

import io.distributionlock.LockRequest;
import io.distributionlock.LockTemplate;
import java.util.List;

/** A lock that a call needs, and the declaration that asks for it. */
record LockAttempt(LockRequest request, LockOperation operation) {

    static LockAttempt of(
            LockOperation operation, String name, LockMetadata method, LockTemplate template, LockOverrides overrides) {
        LockRequest.Builder defaults = template.request(name);
        if (!method.injections().isEmpty()) {
            // The parameter is filled in on a thread that may not block.
            defaults.fenced();
        }
        return new LockAttempt(operation.request(defaults, overrides), operation);
    }

    static List<LockRequest> requests(List<LockAttempt> locks) {
        return locks.size() == 1
                ? List.of(locks.get(0).request())
                : locks.stream().map(LockAttempt::request).toList();
    }

    String name() {
        return request.name();
    }

    /** Of two for the same name, the one that satisfies both: see {@link LockRequest#strongerOf}. Its lease says who declares it. */
    LockAttempt strongerOf(LockAttempt other) {
        LockRequest both = request.strongerOf(other.request);
        boolean ownLease = both.kind() == request.kind()
                && both.renewed() == request.renewed()
                && both.leaseTime().equals(request.leaseTime());
        return new LockAttempt(both, ownLease ? operation : other.operation);
    }
}
