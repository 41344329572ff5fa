package io.distributionlock.transaction;

import io.distributionlock.hold.HeldLocks;
import io.distributionlock.internal.Internal;
import java.util.ArrayList;
import java.util.List;
import reactor.util.context.Context;
import reactor.util.context.ContextView;

/**
 * The locks around a subscription, in the Reactor context.
 *
 * @hidden
 */
@Internal
public final class ReactiveLocks {

    private static final Object KEY = ReactiveLocks.class;

    private ReactiveLocks() {}

    /** Adds the locks of a call. */
    public static Context with(HeldLocks held, Context context) {
        List<HeldLocks> all = new ArrayList<>();
        all.add(held);
        all.addAll(in(context));
        return context.put(KEY, List.copyOf(all));
    }

    /** The locks, innermost first. */
    public static List<HeldLocks> in(ContextView context) {
        return context.getOrDefault(KEY, List.<HeldLocks>of());
    }
}
