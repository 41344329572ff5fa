package io.distributionlock.rack;

import io.distributionlock.rack.History.Kind;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.ToLongFunction;
import org.jetbrains.kotlinx.lincheck.Actor;
import org.jetbrains.kotlinx.lincheck.ValueResult;
import org.jetbrains.kotlinx.lincheck.execution.ExecutionResult;
import org.jetbrains.kotlinx.lincheck.execution.ExecutionScenario;
import org.jetbrains.kotlinx.lincheck.execution.HBClock;
import org.jetbrains.kotlinx.lincheck.execution.ResultWithClock;
import org.jetbrains.kotlinx.lincheck.verifier.linearizability.LinearizabilityVerifier;

/**
 * Asks Lincheck whether a history is linearizable: whether each acquisition and each end of a section can be given a moment between its
 * call and its answer, so that no section begins while another one is in.
 */
public final class LincheckJudge {

    private static final Method ACQUIRE = method("acquire");
    private static final Method END = method("end");

    private final List<Section> sections;

    private LincheckJudge(List<Section> sections) {
        this.sections = sections;
    }

    static Opinion opinionOn(History history) {
        return new Opinion(
                level(history, attempt -> Math.min(attempt.endOfUse(), attempt.leaseUntil), true),
                level(history, attempt -> attempt.lastTold, false));
    }

    private static Opinion.Level level(History history, ToLongFunction<Attempt> end, boolean byLease) {
        if (isLinearizable(history, end, byLease, false)) {
            return Opinion.Level.CLEAN;
        }
        return isLinearizable(history, end, byLease, true) ? Opinion.Level.REDIS : Opinion.Level.BROKEN;
    }

    private static boolean isLinearizable(
            History history, ToLongFunction<Attempt> end, boolean byLease, boolean withLosses) {
        Excuses excuses = new Excuses(history);
        List<Loss> losses = withLosses
                ? history.windows(Kind.LOSS).stream()
                        .map(loss -> new Loss(loss.from(), loss.to()))
                        .toList()
                : List.of();
        List<Section> sections = new ArrayList<>();
        for (Attempt attempt : history.sections()) {
            sections.add(new Section(
                    sections.size(),
                    attempt.thread + "@" + attempt.process,
                    attempt.entered,
                    Math.max(attempt.entered, end.applyAsLong(attempt)),
                    excuses.heldSince(attempt),
                    byLease && excuses.isGrantedLongAgo(attempt),
                    losses));
        }
        return sections.isEmpty() || new LincheckJudge(sections).isLinearizable();
    }

    private boolean isLinearizable() {
        Map<String, List<Step>> threads = new LinkedHashMap<>();
        for (Section section : sections) {
            List<Step> steps = threads.computeIfAbsent(section.thread, thread -> new ArrayList<>());
            // It may as well take effect when it returns: earlier, its section would only be longer. That spares the
            // other moments, of which there are too many where eight callers wait.
            steps.add(new Step(ACQUIRE, section, section.entered, section.entered));
            steps.add(new Step(END, section, section.end, section.end));
        }
        List<List<Step>> parallel = List.copyOf(threads.values());
        List<List<Actor>> actors = new ArrayList<>();
        List<List<ResultWithClock>> results = new ArrayList<>();
        for (List<Step> steps : parallel) {
            actors.add(steps.stream().map(Step::actor).toList());
            results.add(steps.stream()
                    .map(step -> new ResultWithClock(new ValueResult(true), clock(parallel, steps, step)))
                    .toList());
        }
        return new LinearizabilityVerifier(Lock.class)
                .verifyResults(
                        new ExecutionScenario(List.of(), actors, List.of()),
                        new ExecutionResult(List.of(), results, List.of()));
    }

    /** How many steps of each thread were over when this one began. */
    private static HBClock clock(List<List<Step>> threads, List<Step> own, Step step) {
        return new HBClock(threads.stream()
                .mapToInt(steps -> steps == own
                        ? steps.indexOf(step)
                        : (int) steps.stream()
                                .filter(other -> other.answered < step.called)
                                .count())
                .toArray());
    }

    private static Method method(String name) {
        try {
            return Lock.class.getMethod(name, List.class);
        } catch (NoSuchMethodException e) {
            throw new IllegalStateException(e);
        }
    }

    private record Step(Method method, Section section, long called, long answered) {

        Actor actor() {
            return new Actor(method, List.of(section.numbers()));
        }
    }

    private record Loss(long from, long to) {}

    /**
     * @param since since when its process may have what it holds
     * @param late whether it was granted long before it began, which says nothing of its lease
     */
    private record Section(
            int number, String thread, long entered, long end, long since, boolean late, List<Loss> losses) {

        /** Lincheck loads the class of the lock by a loader of its own: all that it is given are numbers. */
        List<Long> numbers() {
            List<Long> numbers = new ArrayList<>(List.of((long) number, entered, since, late ? 1L : 0L));
            losses.forEach(loss -> numbers.addAll(List.of(loss.from, loss.to)));
            return List.copyOf(numbers);
        }
    }

    /**
     * What Lincheck compares a history with: a lock that one section holds at a time, or several if that is excused. A section is its
     * number, when it was entered, since when its process may hold it, whether it was granted long before, and when losses began and ended.
     */
    public static final class Lock {

        private final Set<List<Long>> in = new HashSet<>();

        /** Whether the section may begin. */
        public boolean acquire(List<Long> section) {
            for (List<Long> other : in) {
                if (!mayBeInTogether(section, other)) {
                    return false;
                }
            }
            in.add(section);
            return true;
        }

        public boolean end(List<Long> section) {
            return in.remove(section);
        }

        private static boolean mayBeInTogether(List<Long> one, List<Long> other) {
            List<Long> second = one.get(0) > other.get(0) ? one : other;
            long entered = second.get(1);
            long since = Math.min(one.get(2), other.get(2));
            if (second.get(3) == 1) {
                return true;
            }
            for (int loss = 4; loss < one.size(); loss += 2) {
                if (one.get(loss) <= entered && one.get(loss + 1) >= since) {
                    return true;
                }
            }
            return false;
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Lock lock && lock.in.equals(in);
        }

        @Override
        public int hashCode() {
            return in.hashCode();
        }
    }
}
