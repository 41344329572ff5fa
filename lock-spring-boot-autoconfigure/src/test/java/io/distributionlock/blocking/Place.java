package io.distributionlock.blocking;

/** Where locks are kept. */
enum Place {
    LOCAL,
    REDIS
}
