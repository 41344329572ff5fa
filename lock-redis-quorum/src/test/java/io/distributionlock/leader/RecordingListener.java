package io.distributionlock.leader;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.awaitility.Awaitility;

/** Notes of what an election told it, in order. */
final class RecordingListener implements LeaderListener {

    /** @param remaining what was left of the lease when the listener was told */
    record Told(boolean granted, LeaderTerm term, Duration remaining) {

        boolean valid() {
            return remaining.compareTo(Duration.ZERO) > 0;
        }
    }

    final List<Told> told = new CopyOnWriteArrayList<>();

    @Override
    public void onGranted(LeaderTerm term) {
        told.add(new Told(true, term, term.remaining()));
    }

    @Override
    public void onRevoked(LeaderTerm term) {
        told.add(new Told(false, term, term.remaining()));
    }

    /** Waits until it was told so often. */
    Told await(int number) {
        Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> told.size() >= number);
        return told.get(number - 1);
    }
}
