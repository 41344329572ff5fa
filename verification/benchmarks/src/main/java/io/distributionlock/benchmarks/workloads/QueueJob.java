package io.distributionlock.benchmarks.workloads;

import io.distributionlock.benchmarks.contestants.Contestant;
import io.distributionlock.benchmarks.workers.Fields;
import io.distributionlock.benchmarks.workers.Job;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Thousands of threads that wait for one name, and each have one section. Steps: {@code hold} and {@code release} keep the lock from
 * them; {@code queue} lets them ask, and returns when all wait; {@code other} acquires and releases another name for a while;
 * {@code measure} and {@code measured} enclose a period whose costs are measured; {@code finish} waits for all.
 */
final class QueueJob implements Job {

    private static final long STACK_BYTES = 256 * 1024;
    private static final long BETWEEN_LOOKS_MILLIS = 5;

    private final Contestant contestant;
    private final String name;
    private final String otherName;
    private final Witness witness;
    private final List<Thread> threads = new ArrayList<>();
    private final AtomicInteger sections = new AtomicInteger();
    private final AtomicInteger failed = new AtomicInteger();
    private final AtomicLong lastEnd = new AtomicLong();
    private final Holder holder;
    private ProcessMeter meter;

    QueueJob(Contestant contestant, Fields fields) {
        this.contestant = contestant;
        this.name = fields.text("name") + "queue";
        this.otherName = fields.text("name") + "other-" + fields.number("process");
        this.witness = Witness.map(Path.of(fields.text("witness")), 1);
        this.holder = new Holder(contestant, witness);
        this.meter = new ProcessMeter(contestant.sent());
        int waiters = (int) fields.number("waiters");
        for (int i = 0; i < waiters; i++) {
            long me = Holder.NUMBER + 1 + fields.number("process") * waiters + i;
            Thread thread = new Thread(null, () -> section(me), "waiter-" + me, STACK_BYTES);
            thread.setDaemon(true);
            threads.add(thread);
        }
    }

    private void section(long me) {
        try {
            Contestant.Held mine = contestant.acquireFree(name);
            witness.enter(0, me);
            witness.leave(0, me);
            mine.release();
            sections.incrementAndGet();
            lastEnd.accumulateAndGet(System.nanoTime(), Math::max);
        } catch (Exception timedOut) {
            failed.incrementAndGet();
        }
    }

    @Override
    public Fields step(String step, Fields fields) throws Exception {
        return switch (step) {
            case "hold" -> holder.hold(name);
            case "queue" -> queue();
            case "other" -> other(fields.number("millis"));
            case "measure" -> measure();
            case "measured" -> meter.addTo(Fields.none());
            case "release" -> holder.release();
            case "finish" -> finish();
            default -> throw new IllegalArgumentException("No step " + step);
        };
    }

    private Fields queue() throws InterruptedException {
        threads.forEach(Thread::start);
        while (!threads.stream().allMatch(QueueJob::waits)) {
            TimeUnit.MILLISECONDS.sleep(BETWEEN_LOOKS_MILLIS);
        }
        return Fields.none();
    }

    private static boolean waits(Thread thread) {
        Thread.State state = thread.getState();
        return state == Thread.State.WAITING || state == Thread.State.TIMED_WAITING;
    }

    private Fields other(long millis) throws Exception {
        Latencies latencies = new Latencies();
        long begin = System.nanoTime();
        long now = begin;
        do {
            contestant.acquireFree(otherName).release();
            long after = System.nanoTime();
            latencies.record(after - now);
            now = after;
        } while (now - begin < millis * 1_000_000);
        return Fields.none().with("latencies", latencies.encode());
    }

    private Fields measure() {
        meter = new ProcessMeter(contestant.sent());
        return Fields.none();
    }

    private Fields finish() throws InterruptedException {
        for (Thread thread : threads) {
            thread.join();
        }
        return meter.addTo(Fields.none()
                .with("sections", sections.get())
                .with("timedOut", failed.get())
                .with("lastEnd", lastEnd.get()));
    }
}
