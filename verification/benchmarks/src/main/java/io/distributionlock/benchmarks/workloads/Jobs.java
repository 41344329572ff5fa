package io.distributionlock.benchmarks.workloads;

import io.distributionlock.benchmarks.contestants.Contestant;
import io.distributionlock.benchmarks.workers.Fields;
import io.distributionlock.benchmarks.workers.Job;

/** All jobs that a worker can do with its contestant. */
public final class Jobs implements Job.Source {

    static final String SECTIONS = "sections";
    static final String REENTRY = "reentry";
    static final String RENEWING = "renewing";
    static final String TOGETHER = "together";
    static final String QUEUE = "queue";

    private final Contestant contestant;

    public Jobs(Contestant contestant) {
        this.contestant = contestant;
    }

    @Override
    public Job open(String kind, Fields fields) {
        return switch (kind) {
            case SECTIONS -> new SectionsJob(contestant, fields);
            case REENTRY -> new ReentryJob(contestant, fields);
            case RENEWING -> new RenewingJob(contestant, fields);
            case TOGETHER -> new TogetherJob(contestant, fields);
            case QUEUE -> new QueueJob(contestant, fields);
            default -> throw new IllegalArgumentException("No job " + kind);
        };
    }
}
