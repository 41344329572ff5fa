package io.distributionlock.benchmarks.micro;

import io.distributionlock.Lease;
import io.distributionlock.LockDefaults;
import io.distributionlock.LockRequest;
import io.distributionlock.LockTemplate;
import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** A thread takes and gives back a lock that it holds already, which costs no command. */
@State(Scope.Thread)
public class ReentryBenchmark {

    private static final String NAME = "updateOrderStatus:A1001";

    private final CountedExecutor executor = CountedExecutor.create();
    private final LockTemplate template = new LockTemplate(executor, LockDefaults.STANDARD);
    private final LockRequest request = template.request(NAME).build();
    private final ReentrantLock lockOfTheJdk = new ReentrantLock();
    private final Integer result = 1;
    private @Nullable Lease held;

    /** Takes the locks, on the thread that measures. */
    @Setup
    public void takeLocks() {
        held = template.acquire(request);
        lockOfTheJdk.lock();
    }

    /** Gives the locks back. */
    @TearDown
    public void giveLocksBack() {
        lockOfTheJdk.unlock();
        if (held != null) {
            held.release();
        }
        executor.stop(Duration.ZERO);
    }

    /** Work under the lock, as an application writes it. */
    @Benchmark
    @Measures(workload = MicroWorkloads.REENTRY, variant = "execute", contestant = MicroWorkloads.LOCK)
    public Integer execute() {
        return template.execute(NAME, () -> result);
    }

    /** The lock by hand, with a request that was made before. */
    @Benchmark
    @Measures(workload = MicroWorkloads.REENTRY, variant = "acquire and release", contestant = MicroWorkloads.LOCK)
    public Integer acquireAndRelease() {
        try (Lease again = template.acquire(request)) {
            return again.isValid() ? result : 0;
        }
    }

    /** What a lock inside one process costs. */
    @Benchmark
    @Measures(workload = MicroWorkloads.REENTRY, variant = "acquire and release", contestant = "ReentrantLock")
    public Integer lockOfTheJdk() {
        lockOfTheJdk.lock();
        try {
            return result;
        } finally {
            lockOfTheJdk.unlock();
        }
    }

    long commands() {
        return executor.commands();
    }
}
