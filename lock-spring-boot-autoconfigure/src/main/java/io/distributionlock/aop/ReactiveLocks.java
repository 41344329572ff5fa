package io.distributionlock.aop;

import io.distributionlock.HeldLocks;
import io.distributionlock.Lease;
import io.distributionlock.LockOwner;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import reactor.util.context.Context;
import reactor.util.context.ContextView;

/** The locks that enclosing calls hold for a subscription, and their owners; carried by the Reactor context. */
final class ReactiveLocks {

    private static final Object KEY = ReactiveLocks.class;

    private ReactiveLocks() {}

    static Context with(HeldLocks held, LockedCall call, AsyncEntry entry, Context context) {
        List<Enclosing> all = new ArrayList<>(around(context));
        all.add(new Enclosing(held, call, entry));
        return context.put(KEY, List.copyOf(all));
    }

    static List<HeldLocks> in(ContextView context) {
        return around(context).stream().map(Enclosing::held).toList();
    }

    /**
     * The owners of the locks that this call needs and that enclosing calls hold at this moment, by name. Only these are re-entered:
     * locks that sibling calls acquire themselves must exclude each other.
     */
    static Map<String, LockOwner> ownersFor(LockedCall call, ContextView context) {
        Map<String, LockOwner> owners = new HashMap<>();
        for (Enclosing enclosing : around(context)) {
            // The same name of another executor is another lock.
            if (enclosing.call().template() == call.template()) {
                enclosing.held().leases().stream()
                        // A passed lease belongs to a caller whose owner is not known here.
                        .filter(lease -> lease.isValid() && !(lease instanceof PassedLease))
                        .map(Lease::name)
                        .filter(call.namesToAcquire()::contains)
                        .forEach(name -> owners.put(name, enclosing.entry().ownerOf(name)));
            }
        }
        return owners;
    }

    private static List<Enclosing> around(ContextView context) {
        return context.getOrDefault(KEY, List.<Enclosing>of());
    }

    private record Enclosing(HeldLocks held, LockedCall call, AsyncEntry entry) {}
}
