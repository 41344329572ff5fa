package io.distributionlock.fenced.cost;

/** What keeps two callers from changing a row at once. */
enum Way {
    /** Nothing: what the work costs by itself. */
    NOTHING("transaction alone"),
    /** {@code SELECT … FOR UPDATE}, without Redis. */
    ROW_LOCK("row lock"),
    /** A lock in Redis, with {@code CommitGuard.LOCAL}. */
    LOCK("lock, `LOCAL`"),
    /** A lock in Redis, with {@code CommitGuard.DATABASE}. */
    GUARD("lock, `DATABASE`");

    final String title;

    Way(String title) {
        this.title = title;
    }

    boolean excludes() {
        return this != NOTHING;
    }
}
