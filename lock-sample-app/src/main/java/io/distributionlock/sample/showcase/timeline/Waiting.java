package io.distributionlock.sample.showcase.timeline;

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

    Waiting(ListableBeanFactory beans) {
        this.beans = beans;
    }

    /** The locks with the most waiters come first. */
    List<WantedLock> locks() {
        // Looked up, because injection would leave out named executors.
        return beans.getBeansOfType(LockMonitor.class).values().stream()
                .flatMap(engine -> engine.snapshot().waiting().stream())
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
