package io.distributionlock.local;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** The claims that were given up while a command of theirs might still be under way; each is remembered for five minutes. */
final class Tombstones {

    private static final long LIFE_NANOS = TimeUnit.MINUTES.toNanos(5);

    private final Map<Grave, Long> until = new HashMap<>();
    /** In the order of burial, which is the order of expiry, since all last equally long. */
    private final Deque<Burial> burials = new ArrayDeque<>();

    void bury(String name, String claim, long now) {
        Burial burial = new Burial(new Grave(name, claim), now + LIFE_NANOS);
        until.put(burial.grave(), burial.until());
        burials.add(burial);
    }

    boolean isBuried(String name, String claim, long now) {
        dropOutdated(now);
        return until.containsKey(new Grave(name, claim));
    }

    void dropOutdated(long now) {
        for (Burial oldest = burials.peek(); oldest != null && oldest.until() - now <= 0; oldest = burials.peek()) {
            burials.remove();
            until.remove(oldest.grave(), oldest.until());
        }
    }

    void clear() {
        until.clear();
        burials.clear();
    }

    private record Grave(String name, String claim) {}

    private record Burial(Grave grave, long until) {}
}
