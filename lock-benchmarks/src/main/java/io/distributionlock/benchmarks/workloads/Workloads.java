package io.distributionlock.benchmarks.workloads;

import static io.distributionlock.benchmarks.contestants.Contestants.FLOOR;
import static io.distributionlock.benchmarks.contestants.Contestants.LIBRARY;
import static io.distributionlock.benchmarks.contestants.Contestants.LIBRARY_FAIR;
import static io.distributionlock.benchmarks.contestants.Contestants.LOCK4J;
import static io.distributionlock.benchmarks.contestants.Contestants.REDISSON;
import static io.distributionlock.benchmarks.contestants.Contestants.REDISSON_FAIR;
import static io.distributionlock.benchmarks.contestants.Contestants.REDISSON_WATCHDOG;
import static io.distributionlock.benchmarks.contestants.Contestants.SPRING_PUBSUB;
import static io.distributionlock.benchmarks.contestants.Contestants.SPRING_SPIN;

import java.util.ArrayList;
import java.util.List;

/** All workloads of a run, in the order in which they are measured. */
public final class Workloads {

    public static final String UNCONTENDED = "uncontended";
    public static final String HOT = "hot";

    private static final List<String> LOCKS_THAT_WAIT = List.of(
            LIBRARY, LIBRARY_FAIR, REDISSON, REDISSON_WATCHDOG, REDISSON_FAIR, LOCK4J, SPRING_SPIN, SPRING_PUBSUB);
    private static final List<String> ALL = List.of(
            FLOOR,
            LIBRARY,
            LIBRARY_FAIR,
            REDISSON,
            REDISSON_WATCHDOG,
            REDISSON_FAIR,
            LOCK4J,
            SPRING_SPIN,
            SPRING_PUBSUB);

    private static final int HOT_THREADS = 8;

    private final Scale scale;

    public Workloads(Scale scale) {
        this.scale = scale;
    }

    public List<Variant> all() {
        List<Variant> variants = new ArrayList<>();
        for (int threads : scale.threads()) {
            variants.add(uncontended(threads));
        }
        for (int sectionMillis : new int[] {0, 1}) {
            for (int processes : scale.hotProcesses()) {
                variants.add(hot(processes, sectionMillis));
            }
        }
        return variants;
    }

    private Variant uncontended(int threads) {
        SectionShape shape = new SectionShape(threads, Naming.OWN, threads, 0, scale.millis());
        return new Variant(
                UNCONTENDED, count(threads, "thread"), 1, ALL, new SectionsTrial(shape, TimedLead.uncontended()));
    }

    private Variant hot(int processes, int sectionMillis) {
        SectionShape shape = new SectionShape(HOT_THREADS, Naming.ONE, 1, sectionMillis, scale.millis());
        String name = count(processes, "process") + (sectionMillis == 0 ? " empty" : " " + sectionMillis + " ms");
        return new Variant(HOT, name, processes, LOCKS_THAT_WAIT, new SectionsTrial(shape, TimedLead.contended()));
    }

    private static String count(int number, String what) {
        String several = what.endsWith("s") ? what + "es" : what + "s";
        return number + " " + (number == 1 ? what : several);
    }
}
