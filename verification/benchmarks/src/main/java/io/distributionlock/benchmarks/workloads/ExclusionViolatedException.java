package io.distributionlock.benchmarks.workloads;

/** Two were in sections of one name at once: whatever was measured, it was no lock. */
public final class ExclusionViolatedException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    ExclusionViolatedException(String message) {
        super(message);
    }
}
