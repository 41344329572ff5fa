package io.distributionlock.benchmarks.workloads;

import io.distributionlock.benchmarks.server.RedisMeter;
import io.distributionlock.benchmarks.workers.Fields;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** What all processes of a contestant, and Redis, used in the same period. */
record Cost(List<Fields> processes, RedisMeter.Use redis) {

    /** The cost of a period in which the workers get no commands. */
    static Cost ofWaiting(Round round, long millis) throws InterruptedException {
        RedisMeter redis = round.redis();
        round.all("measure", Fields.none());
        redis.start();
        TimeUnit.MILLISECONDS.sleep(millis);
        RedisMeter.Use used = redis.stop();
        return new Cost(round.all("measured", Fields.none()), used);
    }

    /** By one of the names of {@link ProcessMeter}. */
    long ofProcesses(String what) {
        return processes.stream().mapToLong(process -> process.number(what)).sum();
    }

    double perSecond(String what) {
        return ofProcesses(what) / redis.seconds();
    }
}
