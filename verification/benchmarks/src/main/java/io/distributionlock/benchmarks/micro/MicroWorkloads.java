package io.distributionlock.benchmarks.micro;

import io.distributionlock.benchmarks.contestants.Contestants;
import io.distributionlock.benchmarks.workloads.Workloads;

/** The names by which the report knows what is measured here. */
public final class MicroWorkloads {

    static final String REENTRY = Workloads.REENTRY;
    static final String KEY_BUILDING = "key building";
    public static final String ASPECT_OVERHEAD = "aspect overhead";

    static final String LOCK = Contestants.LIBRARY;
    public static final String BARE_CALL = "bare call";
    static final String NO_OP_PROXY = "no-op proxy";

    private MicroWorkloads() {}
}
