package io.distributionlock.local;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** The claims that were given up while a command of theirs might still run; each is remembered for five minutes. */
final class Tombstones {

    private static final long LIFE_NANOS = TimeUnit.MINUTES.toNanos(5);

    private final Map<Key, Long> until = new HashMap<>();
    /** In the order of expiry, because all last equally long. */
    private final Deque<Tombstone> tombstones = new ArrayDeque<>();

    void add(String name, String claim, long now) {
        Tombstone tombstone = new Tombstone(new Key(name, claim), now + LIFE_NANOS);
        until.put(tombstone.key(), tombstone.until());
        tombstones.add(tombstone);
    }

    boolean contains(String name, String claim, long now) {
        dropOutdated(now);
        return until.containsKey(new Key(name, claim));
    }

    void dropOutdated(long now) {
        for (Tombstone oldest = tombstones.peek();
                oldest != null && oldest.until() - now <= 0;
                oldest = tombstones.peek()) {
            tombstones.remove();
            until.remove(oldest.key(), oldest.until());
        }
    }

    void clear() {
        until.clear();
        tombstones.clear();
    }

    private record Key(String name, String claim) {}

    private record Tombstone(Key key, long until) {}
}
