package io.distributionlock.benchmarks.workloads;

import io.distributionlock.benchmarks.contestants.Contestant;
import java.util.concurrent.CountDownLatch;
import java.util.function.IntFunction;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/** A thread that enters one section after another, and what it has seen. */
final class SectionThread extends Thread {

    final Latencies waits = new Latencies();
    final Latencies operations = new Latencies();
    final Latencies gaps = new Latencies();
    long sections;
    long sectionsInTime;
    long timedOut;
    long lastEnd;

    @Nullable
    Exception failure;

    private final SectionShape shape;
    private final Contestant contestant;
    private final Witness witness;
    private final IntSupplier choice;
    private final IntFunction<String> names;
    private final long me;
    private final Gates gates;

    /** What all threads of a job wait for together: the start, the end of all, the permission to end. */
    record Gates(CountDownLatch start, CountDownLatch done, CountDownLatch leave) {

        static Gates of(int threads) {
            return new Gates(new CountDownLatch(1), new CountDownLatch(threads), new CountDownLatch(1));
        }
    }

    SectionThread(
            SectionShape shape,
            Contestant contestant,
            Witness witness,
            IntSupplier choice,
            IntFunction<String> names,
            long me,
            Gates gates) {
        super("section-" + me);
        this.shape = shape;
        this.contestant = contestant;
        this.witness = witness;
        this.choice = choice;
        this.names = names;
        this.me = me;
        this.gates = gates;
        setDaemon(true);
    }

    @Override
    public void run() {
        try {
            gates.start().await();
            work();
        } catch (Exception failed) {
            failure = failed;
        }
        gates.done().countDown();
        try {
            gates.leave().await();
        } catch (InterruptedException ended) {
            // It ends anyway.
        }
    }

    private void work() throws Exception {
        long begin = System.nanoTime();
        long end = begin + shape.millis() * 1_000_000;
        long now = begin;
        do {
            int name = choice.getAsInt();
            if (name == NameChoice.NO_MORE) {
                return;
            }
            now = section(name, now, end, begin);
        } while (shape.naming() == Naming.MANY || now < end);
    }

    /** Returns when it is after the section. */
    private long section(int name, long asked, long end, long begin) throws Exception {
        Contestant.Held held = contestant.acquire(names.apply(name));
        if (held == null) {
            timedOut++;
            return System.nanoTime();
        }
        long entered;
        try {
            witness.enter(name, me);
            entered = System.nanoTime();
            long before = witness.lastEnd(name);
            if (before > begin && entered >= before) {
                gaps.record(entered - before);
            }
            if (shape.sectionMillis() > 0) {
                Thread.sleep(shape.sectionMillis());
            }
            witness.leave(name, me);
        } finally {
            held.release();
        }
        long now = System.nanoTime();
        sections++;
        if (shape.millis() == 0 || entered < end) {
            sectionsInTime++;
        }
        waits.record(entered - asked);
        operations.record(now - asked);
        lastEnd = now;
        return now;
    }
}
