package io.distributionlock.annotation;

/** What happens to a locked method when the backend fails. */
public enum OnBackendFailure {
    /** The method does not run. A fallback, a {@code LockFailureMapper} or the exception answers. */
    FAIL,
    /**
     * The method does not run, and returns nothing, as with {@link OnBusy#SKIP}. Each time is logged in one line. Refused at
     * startup for a method that returns a primitive.
     */
    SKIP,
    /** The method runs <em>without its lock</em>. Each time is logged and published as a {@code LockBypassedEvent}. */
    PROCEED
}
