package io.distributionlock.fenced;

import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;

/** Lets faults strike during one round. Those that last overlap with others; all are over when this is closed. */
final class Strikes implements AutoCloseable {

    /** Late in a round, because a worker that was killed is back in the next one. */
    private static final long KILLING = TimeUnit.SECONDS.toNanos(2);

    /** Nanoseconds until a command has arrived. */
    private static final long SOON = 10_000_000;

    private final Site site;
    private final Database database;
    private final Workers workers;
    private final Random random;
    private final Queue<Strike> happened = new ConcurrentLinkedQueue<>();
    private final ScheduledExecutorService ends = Executors.newSingleThreadScheduledExecutor();
    private final Set<Integer> away = ConcurrentHashMap.newKeySet();
    private final AtomicBoolean networkIsBroken = new AtomicBoolean();

    Strikes(Site site, Database database, Workers workers, Random random) {
        this.site = site;
        this.database = database;
        this.workers = workers;
        this.random = random;
    }

    /** Until then, at random moments. */
    void strike(String round, int counters, long until) {
        List<Fault> faults = site.faults();
        boolean killed = false;
        while (System.nanoTime() < until) {
            Section.rest(60 + random.nextInt(350));
            if (!killed && until - System.nanoTime() < KILLING) {
                strike(Fault.KILL, round, counters);
                killed = true;
            } else {
                strike(faults.get(random.nextInt(faults.size())), round, counters);
            }
        }
    }

    private void strike(Fault fault, String round, int counters) {
        int worker = random.nextInt(Workers.COUNT);
        switch (fault) {
            case FREEZE -> freeze(worker);
            case CUT -> network(fault, worker);
            case SPLIT -> network(fault, Strike.ALL);
            case DISCONNECT -> atOnce(fault, worker, "", () -> database.disconnect(worker));
            case KILL -> kill(worker);
            case FLUSH -> atOnce(fault, Strike.ALL, "", site::flush);
            case FAILOVER -> failOver((Site.Watched) site);
            case FORCE -> force(round, counters);
            case PRUNE -> prune();
            case LATE -> throw new IllegalArgumentException("Workers do that themselves");
        }
    }

    private void failOver(Site.Watched redis) {
        long from = System.nanoTime();
        if (redis.failOver()) {
            happened.add(new Strike(Fault.FAILOVER, from, System.nanoTime(), Strike.ALL, ""));
        }
    }

    private void atOnce(Fault fault, int worker, String counter, Runnable happening) {
        long from = System.nanoTime();
        happening.run();
        happened.add(new Strike(fault, from, System.nanoTime() + SOON, worker, counter));
    }

    /** One lock of each guard, by a worker that is awake, over its own network. */
    private void force(String round, int counters) {
        int number = random.nextInt(counters);
        int worker = IntStream.range(0, Workers.COUNT)
                .filter(each -> !away.contains(each))
                .findAny()
                .orElseThrow();
        for (Guard guard : Guard.values()) {
            String counter = Calls.counter(round, guard, number);
            atOnce(Fault.FORCE, Strike.ALL, counter, () -> workers.force(worker, counter));
        }
    }

    /** Some must go on, to overtake the others. */
    private void freeze(int worker) {
        if (away.size() >= Workers.COUNT / 2 || !away.add(worker)) {
            return;
        }
        long from = System.nanoTime();
        workers.freeze(worker);
        later(() -> {
            workers.wake(worker);
            away.remove(worker);
            happened.add(new Strike(Fault.FREEZE, from, System.nanoTime(), worker, ""));
        });
    }

    private void kill(int worker) {
        if (away.size() < Workers.COUNT / 2 && away.add(worker)) {
            atOnce(Fault.KILL, worker, "", () -> workers.kill(worker));
        }
    }

    private void prune() {
        long from = System.nanoTime();
        int deleted = database.prune();
        if (deleted > 0) {
            happened.add(new Strike(Fault.PRUNE, from, System.nanoTime(), Strike.ALL, ""));
        }
    }

    private void network(Fault fault, int worker) {
        if (!networkIsBroken.compareAndSet(false, true)) {
            return;
        }
        long from = System.nanoTime();
        breakNetwork(fault, worker, true);
        later(() -> {
            breakNetwork(fault, worker, false);
            networkIsBroken.set(false);
            happened.add(new Strike(fault, from, System.nanoTime(), worker, ""));
        });
    }

    private void breakNetwork(Fault fault, int worker, boolean broken) {
        Site.OneServer server = (Site.OneServer) site;
        if (fault == Fault.CUT) {
            server.cut(worker, broken);
        } else {
            server.split(broken);
        }
    }

    /** After more than a lease. */
    private void later(Runnable end) {
        long millis = Caller.LEASE.toMillis() + 150 + random.nextInt(1_000);
        ends.schedule(end, millis, TimeUnit.MILLISECONDS);
    }

    List<Strike> happened() {
        return List.copyOf(happened);
    }

    @Override
    public void close() {
        ends.shutdown();
        try {
            if (!ends.awaitTermination(1, TimeUnit.MINUTES)) {
                throw new IllegalStateException("A fault does not end");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
