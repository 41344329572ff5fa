package io.distributionlock.playground.timeline;

import io.distributionlock.leader.LeaderElection;
import io.distributionlock.monitor.LockMonitor;
import io.distributionlock.monitor.LockSnapshot.WaitingAttempt;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.stereotype.Component;

/** The locks that this instance is waiting for, on any executor. */
@Component
class Waiting {

    private final ListableBeanFactory beans;
    private final LeaderElection election;

    Waiting(ListableBeanFactory beans, LeaderElection election) {
        this.beans = beans;
        this.election = election;
    }

    /** The locks with the most waiters come first. That of the leader is left out: who waits for it works all the same. */
    List<WantedLock> locks() {
        // Looked up, because injection would leave out a second executor.
        return beans.getBeansOfType(LockMonitor.class).values().stream()
                .flatMap(engine -> engine.snapshot().waiting().stream())
                .filter(waiting -> !waiting.lockName().equals(election.lockName()))
                .collect(Collectors.groupingBy(WaitingAttempt::lockName, Collectors.counting()))
                .entrySet()
                .stream()
                .map(lock -> new WantedLock(lock.getKey(), lock.getValue()))
                .sorted(Comparator.comparingLong(WantedLock::waiting).reversed().thenComparing(WantedLock::name))
                .toList();
    }

    /**
     * A lock with waiters.
     *
     * @param waiting the number of waiters
     */
    record WantedLock(String name, long waiting) {}
}
