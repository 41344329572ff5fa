package io.distributionlock.interceptor;

import io.distributionlock.Lease;
import io.distributionlock.LockOwner;
import io.distributionlock.hold.HeldLocks;
import io.distributionlock.hold.LockScope;
import io.distributionlock.hold.LockScope.EnclosingTransaction;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Acquires the locks of a call, runs the method and releases the locks, the way that the return type asks for. */
abstract class CallRunner {

    final FailureAnswers answers;
    private final Supplier<LockScope> scope;

    CallRunner(FailureAnswers answers, Supplier<LockScope> scope) {
        this.answers = answers;
        this.scope = scope;
    }

    abstract @Nullable Object run(LockInvocationContext call) throws Throwable;

    final LockScope scope() {
        return scope.get();
    }

    /**
     * The owners of the locks that a call needs, by name, as far as these are not threads. Such locks are entered again.
     *
     * @param around what calls around this one hold, innermost first
     */
    static Map<String, LockOwner> ownersAround(LockInvocationContext call, List<HeldLocks> around) {
        if (around.isEmpty()) {
            return Map.of();
        }
        Map<String, LockOwner> owners = new HashMap<>();
        for (HeldLocks held : around) {
            // The same name in another place is another lock. Several templates may reach one place.
            if (held.work() instanceof LockInvocationContext holder
                    && holder.template().executor().backend()
                            == call.template().executor().backend()) {
                for (Lease lease : held.leases()) {
                    LockOwner owner = lease.isValid() ? held.ownerOf(lease) : null;
                    if (owner != null) {
                        owners.putIfAbsent(lease.name(), owner);
                    }
                }
            }
        }
        owners.keySet().retainAll(call.names());
        return owners;
    }

    /**
     * One asynchronous call: the owners of its locks, and the transactions that keep the locks too.
     *
     * @param around who holds what calls around it hold; the call owns the other locks itself, so siblings exclude each other
     */
    record AsyncLockScope(Set<EnclosingTransaction> transactions, Map<String, LockOwner> around, LockOwner own) {

        /** @param around what calls around this one hold, innermost first */
        static AsyncLockScope of(
                LockInvocationContext call, List<HeldLocks> around, Set<EnclosingTransaction> transactions) {
            return new AsyncLockScope(transactions, ownersAround(call, around), LockOwner.unique());
        }

        LockOwner ownerOf(String name) {
            return around.getOrDefault(name, own);
        }

        /** The locks are held: the transactions keep them as well, and calls inside of this one enter them. */
        void acquired(HeldLocks held) {
            held.ownedBy(lease -> ownerOf(lease.name()));
            transactions.forEach(transaction -> transaction.keep(held));
        }
    }
}
