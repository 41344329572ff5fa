package io.distributionlock.benchmarks.micro;

/** The names by which the report knows what is measured here. */
public final class Workloads {

    public static final String REENTRY = "re-entry";
    static final String KEY_BUILDING = "key building";
    public static final String ASPECT_OVERHEAD = "aspect overhead";

    public static final String LOCK = "distribution-lock";
    public static final String BARE_CALL = "bare call";
    static final String NO_OP_PROXY = "no-op proxy";

    private Workloads() {}
}
