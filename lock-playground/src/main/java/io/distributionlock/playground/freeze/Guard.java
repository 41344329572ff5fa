package io.distributionlock.playground.freeze;

/** What keeps two from selling the same last item. */
enum Guard {
    NONE,
    /** The lock alone. */
    LOCK,
    /** The lock, and the database at the commit. */
    DATABASE
}
