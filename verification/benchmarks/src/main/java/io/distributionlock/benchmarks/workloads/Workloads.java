package io.distributionlock.benchmarks.workloads;

import static io.distributionlock.benchmarks.contestants.Contestants.BARE;
import static io.distributionlock.benchmarks.contestants.Contestants.LIBRARY;
import static io.distributionlock.benchmarks.contestants.Contestants.LIBRARY_FAIR;
import static io.distributionlock.benchmarks.contestants.Contestants.LIBRARY_PERMITS;
import static io.distributionlock.benchmarks.contestants.Contestants.LIBRARY_QUORUM;
import static io.distributionlock.benchmarks.contestants.Contestants.LIBRARY_TOKEN;
import static io.distributionlock.benchmarks.contestants.Contestants.LIBRARY_UNAWAITED;
import static io.distributionlock.benchmarks.contestants.Contestants.LOCK4J;
import static io.distributionlock.benchmarks.contestants.Contestants.PERMITS;
import static io.distributionlock.benchmarks.contestants.Contestants.REDISSON;
import static io.distributionlock.benchmarks.contestants.Contestants.REDISSON_FAIR;
import static io.distributionlock.benchmarks.contestants.Contestants.REDISSON_MULTILOCK;
import static io.distributionlock.benchmarks.contestants.Contestants.REDISSON_PERMITS;
import static io.distributionlock.benchmarks.contestants.Contestants.REDISSON_REDLOCK;
import static io.distributionlock.benchmarks.contestants.Contestants.REDISSON_WATCHDOG;
import static io.distributionlock.benchmarks.contestants.Contestants.SPRING_PUBSUB;
import static io.distributionlock.benchmarks.contestants.Contestants.SPRING_SPIN;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** All workloads of a run, in the order in which they are measured. */
public final class Workloads {

    public static final String UNCONTENDED = "uncontended";
    public static final String REENTRY = "re-entry";
    public static final String HOT = "hot name";
    public static final String WAITERS = "waiters";
    public static final String ADDRESS = "address";
    public static final String RENEWING = "renewing";
    public static final String FAIR = "fair";
    public static final String FAIR_WAITERS = "fair waiters";
    public static final String PERMIT = "permits";
    public static final String MANY_AT_ONCE = "many at once";
    public static final String MANY_NAMES = "many names";
    public static final String PROCESSES = "processes";
    public static final String NETWORK = "network";
    public static final String THREE_MASTERS = "three masters";

    private static final List<String> LOCKS_THAT_WAIT =
            List.of(LIBRARY, LIBRARY_FAIR, REDISSON, LOCK4J, SPRING_SPIN, SPRING_PUBSUB);
    private static final List<String> WAITING_LOCKS =
            List.of(LIBRARY, LIBRARY_FAIR, REDISSON, REDISSON_FAIR, LOCK4J, SPRING_SPIN, SPRING_PUBSUB);
    private static final List<String> FREE_LOCKS =
            List.of(BARE, LIBRARY, LIBRARY_TOKEN, LIBRARY_UNAWAITED, REDISSON, REDISSON_WATCHDOG, LOCK4J, SPRING_SPIN);
    private static final List<String> FREE_LOCKS_FAR_AWAY =
            List.of(BARE, LIBRARY, LIBRARY_TOKEN, REDISSON, LOCK4J, SPRING_SPIN);
    private static final List<String> LOCKS_THAT_REENTER = List.of(LIBRARY, REDISSON, SPRING_SPIN);
    private static final List<String> FAIR_LOCKS = List.of(LIBRARY_FAIR, REDISSON_FAIR);

    /** Redisson's has a subscription for each waiting thread, and no more than some hundred of them. */
    private static final List<String> FAIR_LOCKS_OF_THOUSANDS = List.of(LIBRARY_FAIR);

    private static final List<String> LOCKS_OF_MANY_NAMES = List.of(LIBRARY, REDISSON);
    private static final List<String> RENEWED_LOCKS = List.of(LIBRARY, REDISSON_WATCHDOG);
    private static final List<String> ONE_OF_EACH = List.of(LIBRARY, REDISSON, LOCK4J, SPRING_SPIN, SPRING_PUBSUB);
    private static final List<String> QUORUMS = List.of(LIBRARY_QUORUM, REDISSON_REDLOCK, REDISSON_MULTILOCK);

    private static final int HOT_THREADS = 8;
    private static final int PROCESSES_THREADS = 4;
    private static final int PROCESSES_NAMES = 16;
    private static final int WARM_UP_MILLIS = 1_000;
    private static final int LONG_ROUNDS = 3;
    private static final int VERY_LONG_ROUNDS = 2;

    private final Scale scale;

    public Workloads(Scale scale) {
        this.scale = scale;
    }

    /** The names of all. */
    public static List<String> names() {
        return List.of(
                UNCONTENDED,
                REENTRY,
                HOT,
                WAITERS,
                ADDRESS,
                RENEWING,
                FAIR,
                FAIR_WAITERS,
                PERMIT,
                MANY_AT_ONCE,
                MANY_NAMES,
                PROCESSES,
                NETWORK,
                THREE_MASTERS);
    }

    /** Has the code of contestants compiled before anything is measured; to be run until its throughput stops growing. */
    public static Variant warmUp(Collection<String> contestants) {
        int processes = 2;
        SectionShape shape = new SectionShape(HOT_THREADS, Naming.OWN, processes * HOT_THREADS, 0, WARM_UP_MILLIS);
        return new Variant(
                "warm-up",
                "2 processes",
                processes,
                List.copyOf(contestants),
                new SectionsTrial(shape, TimedLead.uncontended()));
    }

    /** The same variant, as short as suffices to warm up for it. */
    public static Variant shorter(Variant variant) {
        return new Workloads(new Scale(false, WARM_UP_MILLIS / 1_000.0))
                .all().stream()
                        .filter(one -> one.workload().equals(variant.workload())
                                && one.name().equals(variant.name()))
                        .findFirst()
                        .orElse(variant);
    }

    public List<Variant> all() {
        List<Variant> variants = new ArrayList<>();
        for (int threads : scale.threads()) {
            variants.add(uncontended(threads));
        }
        variants.add(reentry());
        variants.add(hot(2, 0));
        for (int processes : scale.hotProcesses()) {
            variants.add(hot(processes, 1));
        }
        variants.add(waiters());
        variants.add(address());
        variants.add(renewing());
        for (int waiters : scale.fairWaiters()) {
            variants.add(fair(waiters));
        }
        for (int each : scale.fairQueuesPerProcess()) {
            variants.add(fairWaiters(each));
        }
        for (int sectionMillis : new int[] {0, 1}) {
            variants.add(permits(sectionMillis));
        }
        for (int names : scale.namesAtOnce()) {
            variants.add(manyAtOnce(names));
        }
        variants.add(manyNames());
        for (int processes : scale.costProcesses()) {
            variants.add(processes(processes));
        }
        for (double millis : scale.roundTrips()) {
            variants.add(free(NETWORK, 1, millis + " ms 1 thread", FREE_LOCKS_FAR_AWAY)
                    .behind(millis));
        }
        variants.add(contended(NETWORK, "1.0 ms hot name 2 processes 1 ms", 2, 1, LOCKS_THAT_WAIT)
                .behind(1));
        for (int threads : scale.threads()) {
            variants.add(free(THREE_MASTERS, threads, count(threads, "thread"), QUORUMS)
                    .onThreeMasters());
        }
        variants.add(contended(THREE_MASTERS, "hot name 2 processes 1 ms", 2, 1, QUORUMS)
                .onThreeMasters());
        return variants;
    }

    private Variant free(String workload, int threads, String name, List<String> contestants) {
        SectionShape shape = new SectionShape(threads, Naming.OWN, threads, 0, scale.millis());
        return new Variant(workload, name, 1, contestants, new SectionsTrial(shape, TimedLead.uncontended()));
    }

    private Variant contended(
            String workload, String name, int processes, int sectionMillis, List<String> contestants) {
        SectionShape shape = new SectionShape(HOT_THREADS, Naming.ONE, 1, sectionMillis, scale.millis());
        return new Variant(workload, name, processes, contestants, new SectionsTrial(shape, TimedLead.contended()));
    }

    private Variant uncontended(int threads) {
        return free(UNCONTENDED, threads, count(threads, "thread"), FREE_LOCKS);
    }

    private Variant hot(int processes, int sectionMillis) {
        String name = count(processes, "process") + (sectionMillis == 0 ? " empty" : " " + sectionMillis + " ms");
        return contended(HOT, name, processes, sectionMillis, LOCKS_THAT_WAIT);
    }

    private Variant reentry() {
        return new Variant(REENTRY, "1 thread", 1, LOCKS_THAT_REENTER, new ReentryTrial(scale.millis()));
    }

    private Variant waiters() {
        int each = scale.waitersPerProcess();
        SectionShape shape = new SectionShape(each, Naming.ONE, 1, 0, 0);
        return new Variant(WAITERS, "2 × " + each, 2, WAITING_LOCKS, new SectionsTrial(shape, new WaitersLead(scale)))
                .atMost(LONG_ROUNDS);
    }

    private Variant address() {
        int each = scale.addressThreadsPerProcess();
        SectionShape shape = new SectionShape(each, Naming.ONE, 1, 0, 0);
        return new Variant(
                ADDRESS, "2 × " + each + " threads", 2, LOCKS_THAT_WAIT, new SectionsTrial(shape, new BurstLead()));
    }

    private Variant renewing() {
        int locks = scale.renewingLocks();
        return new Variant(RENEWING, locks + " locks", 1, RENEWED_LOCKS, new RenewingTrial(locks, scale.renewals()))
                .atMost(LONG_ROUNDS);
    }

    private Variant fair(int waiters) {
        SectionShape shape = new SectionShape(waiters / 2, Naming.ONE, 1, 0, scale.millis());
        return new Variant(FAIR, waiters + " waiters", 2, FAIR_LOCKS, new SectionsTrial(shape, TimedLead.contended()));
    }

    private Variant fairWaiters(int each) {
        return new Variant(FAIR_WAITERS, "2 × " + each, 2, FAIR_LOCKS_OF_THOUSANDS, new QueueTrial(each, scale))
                .atMost(VERY_LONG_ROUNDS);
    }

    private Variant permits(int sectionMillis) {
        SectionShape shape = new SectionShape(HOT_THREADS, Naming.ONE, 1, sectionMillis, scale.millis(), PERMITS);
        String name = "2 × " + HOT_THREADS + " for " + PERMITS
                + (sectionMillis == 0 ? " empty" : " " + sectionMillis + " ms");
        return new Variant(
                PERMIT,
                name,
                2,
                List.of(LIBRARY_PERMITS, REDISSON_PERMITS),
                new SectionsTrial(shape, TimedLead.contended()));
    }

    private Variant manyAtOnce(int names) {
        return new Variant(
                        MANY_AT_ONCE,
                        count(names, "name"),
                        1,
                        LOCKS_OF_MANY_NAMES,
                        new TogetherTrial(names, scale.millis()))
                .atMost(LONG_ROUNDS);
    }

    private Variant manyNames() {
        int names = scale.manyNames();
        SectionShape shape = new SectionShape(HOT_THREADS, Naming.MANY, names, 0, 0);
        return new Variant(MANY_NAMES, names + " names", 1, ONE_OF_EACH, new SectionsTrial(shape, new ManyNamesLead()))
                .atMost(VERY_LONG_ROUNDS);
    }

    private Variant processes(int processes) {
        SectionShape shape = new SectionShape(PROCESSES_THREADS, Naming.FEW, PROCESSES_NAMES, 0, scale.millis());
        return new Variant(
                        PROCESSES,
                        count(processes, "process"),
                        processes,
                        ONE_OF_EACH,
                        new SectionsTrial(shape, TimedLead.contended()))
                .atMost(LONG_ROUNDS);
    }

    private static String count(int number, String what) {
        String several = what.endsWith("s") ? what + "es" : what + "s";
        return number + " " + (number == 1 ? what : several);
    }
}
