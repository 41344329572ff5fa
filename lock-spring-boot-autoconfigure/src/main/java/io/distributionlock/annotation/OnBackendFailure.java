package io.distributionlock.annotation;

/** What a locked method does when the place where locks are kept fails. */
public enum OnBackendFailure {
    /** The method does not run; the failure is answered like any other. */
    FAIL,
    /** The method runs <em>without its lock</em>. Each time is logged and published as an event. */
    PROCEED
}
