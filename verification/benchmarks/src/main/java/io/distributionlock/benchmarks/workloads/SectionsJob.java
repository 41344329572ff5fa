package io.distributionlock.benchmarks.workloads;

import io.distributionlock.benchmarks.contestants.Contestant;
import io.distributionlock.benchmarks.workers.Fields;
import io.distributionlock.benchmarks.workers.Job;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/**
 * Threads that enter sections. Steps: {@code hold} acquires the only name and {@code release} releases it, so that threads can be
 * made to wait; {@code start} starts the threads at a given moment; {@code measure} and {@code measured} enclose a period whose
 * costs are measured; {@code heap} returns the reachable bytes; {@code finish} waits for all threads and returns their counts.
 */
final class SectionsJob implements Job {

    private final Contestant contestant;
    private final SectionShape shape;
    private final Witness witness;
    private final IntFunction<String> names;
    private final SectionThread.Gates gates;
    private final List<SectionThread> threads = new ArrayList<>();
    private final Holder holder;
    private ProcessMeter meter;

    SectionsJob(Contestant contestant, Fields fields) {
        this.contestant = contestant;
        this.shape = SectionShape.of(fields);
        this.witness = Witness.map(Path.of(fields.text("witness")), shape.names(), shape.atOnce());
        this.holder = new Holder(contestant, witness);
        this.names = names(fields.text("name"));
        this.gates = SectionThread.Gates.of(shape.threads());
        this.meter = new ProcessMeter(contestant.sent());
        int process = (int) fields.number("process");
        int processes = (int) fields.number("processes");
        for (int thread = 0; thread < shape.threads(); thread++) {
            long me = Holder.NUMBER + 1 + (long) process * shape.threads() + thread;
            threads.add(new SectionThread(
                    shape, contestant, witness, NameChoice.of(shape, process, processes, thread), names, me, gates));
        }
        threads.forEach(Thread::start);
    }

    private IntFunction<String> names(String prefix) {
        if (shape.naming() == Naming.MANY) {
            return name -> prefix + name;
        }
        String[] all = IntStream.range(0, shape.names())
                .mapToObj(name -> prefix + name)
                .toArray(String[]::new);
        return name -> all[name];
    }

    @Override
    public Fields step(String step, Fields fields) throws Exception {
        return switch (step) {
            case "hold" -> holder.hold(names.apply(0));
            case "release" -> holder.release();
            case "start" -> start(fields.number("at"));
            case "finish" -> finish();
            case "measure" -> measure();
            case "measured" -> meter.addTo(Fields.none());
            case "heap" -> Fields.none().with("heap", ProcessMeter.usedHeap());
            default -> throw new IllegalArgumentException("No step " + step);
        };
    }

    private Fields measure() {
        meter = new ProcessMeter(contestant.sent());
        return Fields.none();
    }

    private Fields start(long at) throws InterruptedException {
        measure();
        TimeUnit.NANOSECONDS.sleep(at - System.nanoTime());
        gates.start().countDown();
        return Fields.none();
    }

    private Fields finish() throws Exception {
        gates.done().await();
        Fields used = meter.addTo(Fields.none());
        gates.leave().countDown();
        for (SectionThread thread : threads) {
            thread.join();
            if (thread.failure != null) {
                throw thread.failure;
            }
        }
        return SectionsSeen.of(threads).addTo(used);
    }
}
