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

/** The locks that a subscription is inside of and whose they are, carried by the Reactor context. */
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
     * Who holds the locks that this call needs and that calls around it hold at this moment, by their names. Only these are
     * entered again: what two calls inside the same call take besides is to keep them apart.
     */
    static Map<String, LockOwner> ownersFor(LockedCall call, ContextView context) {
        Map<String, LockOwner> owners = new HashMap<>();
        for (Enclosing enclosing : around(context)) {
            // The same name in another place is another lock.
            if (enclosing.call().template() == call.template()) {
                enclosing.held().leases().stream()
                        // What was passed is somebody else's, whom nobody here can enter for.
                        .filter(lease -> lease.isValid() && !(lease instanceof PassedLease))
                        .map(Lease::name)
                        .filter(call.namesToTake()::contains)
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
