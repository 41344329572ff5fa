package io.distributionlock.annotation;

/** What happens to a locked method when the backend fails. */
public enum OnBackendFailure {
    /** The method does not run. A fallback, a {@code LockFailureMapper} or the exception answers. */
    FAIL,
    /** The method does not run, and returns nothing: {@code null}, 0, {@code false} or empty. Each time is logged in one line. */
    SKIP,
    /** The method runs <em>without its lock</em>. Each time is logged and published as a {@code LockBypassedEvent}. */
    PROCEED
}
