package io.distributionlock.aop;

import io.distributionlock.HeldLocks;
import java.util.ArrayList;
import java.util.List;
import reactor.util.context.Context;
import reactor.util.context.ContextView;

/** The locks that a subscription is inside of, carried by the Reactor context. */
final class ReactiveLocks {

    private static final Object KEY = ReactiveLocks.class;

    private ReactiveLocks() {}

    static Context with(HeldLocks held, Context context) {
        List<HeldLocks> all = new ArrayList<>(in(context));
        all.add(held);
        return context.put(KEY, List.copyOf(all));
    }

    static List<HeldLocks> in(ContextView context) {
        return context.getOrDefault(KEY, List.<HeldLocks>of());
    }
}
