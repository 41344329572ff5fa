package io.distributionlock;

/** Where locks are kept. */
enum BackendKind {
    LOCAL,
    REDIS
}
