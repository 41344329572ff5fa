package io.distributionlock.benchmarks.micro;

/** The names by which the report knows what is measured here. */
final class Workloads {

    static final String REENTRY = "re-entry";
    static final String KEY_BUILDING = "key building";
    static final String ASPECT_OVERHEAD = "aspect overhead";

    static final String LOCK = "distribution-lock";
    static final String BARE_CALL = "bare call";
    static final String NO_OP_PROXY = "no-op proxy";

    private Workloads() {}
}
