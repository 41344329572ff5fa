package io.distributionlock.benchmarks.workloads;

import io.distributionlock.benchmarks.contestants.Contestants;
import io.distributionlock.benchmarks.server.RedisMeter;
import io.distributionlock.benchmarks.workers.Fields;
import io.distributionlock.benchmarks.workers.WorkerProcess;
import java.util.concurrent.TimeUnit;

/** Many locks are held and renewed, and nothing else is done. */
final class RenewingTrial implements Trial {

    /** All renew when a third of the lease is over. */
    private static final long RENEWAL_MILLIS = Contestants.LEASE.toMillis() / 3;

    private final int locks;
    private final int renewals;

    /** @param renewals for how many renewals of each lock it is looked at */
    RenewingTrial(int locks, int renewals) {
        this.locks = locks;
        this.renewals = renewals;
    }

    @Override
    public void run(Round round) throws InterruptedException {
        WorkerProcess worker = round.firstWorker();
        worker.open(
                Jobs.RENEWING, Fields.none().with("name", round.namePrefix()).with("locks", locks));
        Fields held = worker.step("hold", Fields.none());
        round.report("heap", "B per lock", (double) held.number("heap") / locks);
        renew(round, worker);
        verify(round);
        worker.step("release", Fields.none());
    }

    private void renew(Round round, WorkerProcess worker) throws InterruptedException {
        RedisMeter redis = round.redis();
        worker.step("measure", Fields.none());
        redis.start();
        TimeUnit.MILLISECONDS.sleep(renewals * RENEWAL_MILLIS);
        RedisMeter.Use used = redis.stop();
        Fields cost = worker.step("measured", Fields.none());
        double perRenewal = used.seconds() * 1_000 / RENEWAL_MILLIS * locks;
        round.report("commands sent", "per lock and third of a lease", cost.number(ProcessMeter.SENT) / perRenewal);
        round.report("commands run", "per lock and third of a lease", used.commands() / perRenewal);
        round.report("batches", "batches per second", cost.number(ProcessMeter.BATCHES) / used.seconds());
        round.report("client CPU", "ms per second", cost.number(ProcessMeter.CPU) / 1e6 / used.seconds());
        round.report("Redis CPU", "ms per second", used.cpuSeconds() * 1_000 / used.seconds());
    }

    private void verify(Round round) {
        long keys = round.redis().keys();
        if (keys < locks) {
            throw round.violated("of " + locks + " locks that are held and renewed, only " + keys + " are in Redis");
        }
    }
}
