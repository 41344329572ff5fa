package io.distributionlock.benchmarks.workloads;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.ThreadMXBean;
import io.distributionlock.benchmarks.contestants.SentCommands;
import io.distributionlock.benchmarks.workers.Fields;
import java.lang.management.ManagementFactory;

/** What this process has used since the meter was made. */
final class ProcessMeter {

    static final String ALLOCATED = "allocated";
    static final String CPU = "cpu";
    static final String SENT = "sent";
    static final String BATCHES = "batches";
    static final String ROUND_TRIPS = "roundTrips";

    private static final OperatingSystemMXBean SYSTEM =
            (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private final SentCommands sent;
    private final long sentAtStart;
    private final long batchesAtStart;
    private final long roundTripsAtStart;
    private final long allocatedAtStart;
    private final long cpuAtStart;

    ProcessMeter(SentCommands sent) {
        this.sent = sent;
        this.sentAtStart = sent.commands();
        this.batchesAtStart = sent.batches();
        this.roundTripsAtStart = sent.roundTrips();
        this.allocatedAtStart = allocatedBytes();
        this.cpuAtStart = SYSTEM.getProcessCpuTime();
    }

    /** Adds the numbers. Threads that have ended since the start are not in the allocated bytes. */
    Fields addTo(Fields fields) {
        long cpu = SYSTEM.getProcessCpuTime() - cpuAtStart;
        long allocated = allocatedBytes() - allocatedAtStart;
        return fields.with(CPU, cpu)
                .with(ALLOCATED, allocated)
                .with(SENT, sent.commands() - sentAtStart)
                .with(BATCHES, sent.batches() - batchesAtStart)
                .with(ROUND_TRIPS, sent.roundTrips() - roundTripsAtStart);
    }

    /** Of all threads that are alive. */
    private static long allocatedBytes() {
        long sum = 0;
        for (long bytes : THREADS.getThreadAllocatedBytes(THREADS.getAllThreadIds())) {
            sum += Math.max(0, bytes);
        }
        return sum;
    }

    /** The bytes of all objects that can still be reached. */
    static long usedHeap() {
        System.gc();
        System.gc();
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }
}
