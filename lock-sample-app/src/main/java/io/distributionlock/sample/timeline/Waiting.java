package io.distributionlock.sample.timeline;

import io.distributionlock.engine.EngineSnapshot.WaitingAttempt;
import io.distributionlock.engine.EngineView;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.stereotype.Component;

/** The locks that this instance waits for at this moment, wherever they are kept. */
@Component
class Waiting {

    private final ListableBeanFactory beans;

    Waiting(ListableBeanFactory beans) {
        this.beans = beans;
    }

    /** Those that most wait for come first. */
    List<WantedLock> locks() {
        // Not by injection, which leaves out the places that have a name of their own.
        return beans.getBeansOfType(EngineView.class).values().stream()
                .flatMap(engine -> engine.snapshot().waiting().stream())
                .collect(Collectors.groupingBy(WaitingAttempt::lockName, Collectors.counting()))
                .entrySet()
                .stream()
                .map(lock -> new WantedLock(lock.getKey(), lock.getValue()))
                .sorted(Comparator.comparingLong(WantedLock::waiting).reversed().thenComparing(WantedLock::name))
                .toList();
    }

    /**
     * A lock that is waited for.
     *
     * @param waiting how many wait
     */
    record WantedLock(String name, long waiting) {}
}
