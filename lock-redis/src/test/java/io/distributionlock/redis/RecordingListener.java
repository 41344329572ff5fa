package io.distributionlock.redis;

import io.distributionlock.backend.CommandListener;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** Remembers what a port told. */
final class RecordingListener implements CommandListener {

    record Granted(String name, String claim) {}

    record Probed(String name, String claim) {}

    record Revoked(String name, String claim) {}

    final List<Granted> granted = new CopyOnWriteArrayList<>();
    final List<Probed> probed = new CopyOnWriteArrayList<>();
    final CopyOnWriteArrayList<Revoked> revoked = new CopyOnWriteArrayList<>();
    final AtomicInteger listening = new AtomicInteger();
    final AtomicInteger reconnected = new AtomicInteger();

    @Override
    public void granted(String name, String claim) {
        granted.add(new Granted(name, claim));
    }

    @Override
    public void probed(String name, String claim) {
        probed.add(new Probed(name, claim));
    }

    /** A process that releases its own lock by force is told by its call, and by a message. */
    @Override
    public void revoked(String name, String claim) {
        revoked.addIfAbsent(new Revoked(name, claim));
    }

    @Override
    public void listening() {
        listening.incrementAndGet();
    }

    @Override
    public void reconnected() {
        reconnected.incrementAndGet();
    }
}
