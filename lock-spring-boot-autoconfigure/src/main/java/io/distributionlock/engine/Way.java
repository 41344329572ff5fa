package io.distributionlock.engine;

/** How a holder came to its lock. */
enum Way {
    /** Its process asked, and the lock was free. */
    ASKED,
    /** The holder before it, in another process, handed the lock over. */
    HANDED_OVER,
    /** The holder before it, in this process, passed the lock on. */
    PASSED_ON,
    /** It held the lock already. */
    REENTERED
}
