package io.distributionlock.benchmarks.workloads;

import io.distributionlock.benchmarks.contestants.Contestants;
import io.distributionlock.benchmarks.server.RedisMeter;
import io.distributionlock.benchmarks.workers.Fields;
import io.distributionlock.benchmarks.workers.WorkerProcess;

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
        renew(round);
        verify(round);
        worker.step("release", Fields.none());
    }

    private void renew(Round round) throws InterruptedException {
        Cost cost = Cost.ofWaiting(round, renewals * RENEWAL_MILLIS);
        RedisMeter.Use redis = cost.redis();
        double perRenewal = redis.seconds() * 1_000 / RENEWAL_MILLIS * locks;
        round.report(
                "commands sent", "per lock and third of a lease", cost.ofProcesses(ProcessMeter.SENT) / perRenewal);
        round.report("commands run", "per lock and third of a lease", redis.commands() / perRenewal);
        round.report("commands sent per second", "commands/s", cost.perSecond(ProcessMeter.SENT));
        round.report("commands run per second", "commands/s", redis.commands() / redis.seconds());
        round.report("batches", "batches per second", cost.perSecond(ProcessMeter.BATCHES));
        round.report("client CPU", "ms per second", cost.perSecond(ProcessMeter.CPU) / 1e6);
        round.report("Redis CPU", "ms per second", redis.cpuSeconds() * 1_000 / redis.seconds());
        round.reportLongest("longest command", redis);
    }

    /** What a contestant keeps beyond its locks, like the numbers of tenures, lasts longer than a lease. */
    private void verify(Round round) {
        long held = round.redis().keysThatExpire(round.namePrefix(), Contestants.LEASE);
        if (held < locks) {
            throw round.violated("only " + held + " of " + locks + " held and renewed locks are in Redis");
        }
    }
}
