package io.distributionlock.rack;

import java.util.OptionalInt;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;

/** Where a fault strikes: one episode under way. */
record Scene(Site site, Workers workers, Library library, String name, History history, Random random) {

    private static final int LEASE = (int) Library.LEASE.toMillis();

    static void rest(int millis) {
        try {
            TimeUnit.MILLISECONDS.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    void rest(int from, int to) {
        rest(from + random.nextInt(to - from));
    }

    /** For so many hundredths of a lease. */
    void restLeases(int from, int to) {
        rest(LEASE * from / 100, LEASE * to / 100);
    }

    /**
     * Strikes a process, mostly in its section. A section may end before it is hit; then the blow is taken back, and the next is aimed at.
     */
    private Hit strike(IntConsumer blow, IntConsumer takenBack) {
        boolean anybody = random.nextInt(8) == 0;
        int any = random.nextInt(Workers.COUNT);
        for (int aim = 0; aim < 40; aim++) {
            int process = anybody ? any : awaitHolder(any);
            long at = System.nanoTime();
            blow.accept(process);
            if (anybody || history.holder().orElse(-1) == process) {
                return new Hit(process, at);
            }
            takenBack.accept(process);
        }
        long at = System.nanoTime();
        blow.accept(any);
        return new Hit(any, at);
    }

    private record Hit(int process, long at) {}

    /** Waits for a section, but not for long. */
    int awaitHolder(int otherwise) {
        for (int look = 0; look < 400; look++) {
            OptionalInt holder = history.holder();
            if (holder.isPresent()) {
                return holder.getAsInt();
            }
            rest(2);
        }
        return otherwise;
    }

    /** What happens meanwhile is Redis's loss. */
    void loss(Runnable happening) {
        during(History.Kind.LOSS, -1, happening);
    }

    /** Meanwhile nobody can be blamed for not giving the lock. */
    void outage(Runnable happening) {
        during(History.Kind.OUTAGE, -1, happening);
    }

    /** Cuts a process off, or lets it stand still, for so many hundredths of a lease. */
    void stall(int from, int to, IntConsumer blow, IntConsumer end) {
        Hit hit = strike(blow, end);
        restLeases(from, to);
        end.accept(hit.process);
        history.add(History.Kind.STALL, hit.process, hit.at, System.nanoTime());
    }

    private void during(History.Kind kind, int process, Runnable happening) {
        long from = System.nanoTime();
        happening.run();
        history.add(kind, process, from, System.nanoTime());
    }

    /** A process dies, mostly in its section, and another takes its place. */
    void kill() {
        Hit hit = strike(
                victim -> workers.process(victim).pause(),
                victim -> workers.process(victim).resume());
        int process = hit.process;
        workers.process(process).kill();
        history.died(process, hit.at);
        workers.replace(process, library, site);
        workers.run(process, name, random.nextLong());
    }
}
