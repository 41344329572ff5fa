package io.distributionlock.transaction;

import io.distributionlock.HeldLocks;
import io.distributionlock.Lease;
import io.distributionlock.LockOwner;
import io.distributionlock.LockTemplate;
import io.distributionlock.internal.Internal;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import reactor.util.context.Context;
import reactor.util.context.ContextView;

/**
 * The locks around a subscription and their owners, in the Reactor context.
 *
 * @hidden
 */
@Internal
public final class ReactiveLocks {

    private static final Object KEY = ReactiveLocks.class;

    private ReactiveLocks() {}

    /**
     * Adds the locks of a call.
     *
     * @param template by which they are held
     * @param owners who holds each of them; {@code null} for a lease that the caller has passed, which nobody can enter again
     */
    public static Context with(
            HeldLocks held, LockTemplate template, Function<Lease, @Nullable LockOwner> owners, Context context) {
        List<Enclosing> all = new ArrayList<>(around(context));
        all.add(new Enclosing(held, template, owners));
        return context.put(KEY, List.copyOf(all));
    }

    static List<HeldLocks> in(ContextView context) {
        return around(context).stream().map(Enclosing::held).toList();
    }

    /**
     * Who holds, around a call, the locks that it needs, by their names. Only these are entered again: sibling calls must keep
     * each other out of all others.
     */
    public static Map<String, LockOwner> ownersOf(
            Collection<String> names, LockTemplate template, ContextView context) {
        Map<String, LockOwner> found = new HashMap<>();
        for (Enclosing enclosing : around(context)) {
            // The same name in another place is another lock.
            if (enclosing.template() == template) {
                for (Lease lease : enclosing.held().leases()) {
                    LockOwner owner = lease.isValid() && names.contains(lease.name())
                            ? enclosing.owners().apply(lease)
                            : null;
                    if (owner != null) {
                        found.put(lease.name(), owner);
                    }
                }
            }
        }
        return found;
    }

    private static List<Enclosing> around(ContextView context) {
        return context.getOrDefault(KEY, List.<Enclosing>of());
    }

    private record Enclosing(HeldLocks held, LockTemplate template, Function<Lease, @Nullable LockOwner> owners) {}
}
