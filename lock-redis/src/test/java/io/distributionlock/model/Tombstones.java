package io.distributionlock.model;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** The claims that were given up while a command of theirs might still run; each is remembered for five minutes. */
final class Tombstones {

    private static final long LIFE_NANOS = TimeUnit.MINUTES.toNanos(5);

    /** In the order of expiry, because all last equally long. */
    private final Map<Key, Long> until = new LinkedHashMap<>();

    void add(String name, String claim, long now) {
        Key key = new Key(name, claim);
        // To the end, if it is there.
        until.remove(key);
        until.put(key, now + LIFE_NANOS);
    }

    boolean contains(String name, String claim, long now) {
        dropOutdated(now);
        return until.containsKey(new Key(name, claim));
    }

    void dropOutdated(long now) {
        Iterator<Long> oldest = until.values().iterator();
        while (oldest.hasNext() && oldest.next() - now <= 0) {
            oldest.remove();
        }
    }

    void clear() {
        until.clear();
    }

    private record Key(String name, String claim) {}
}
