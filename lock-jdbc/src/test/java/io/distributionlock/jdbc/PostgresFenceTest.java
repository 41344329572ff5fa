package io.distributionlock.jdbc;

/** On a real PostgreSQL. */
class PostgresFenceTest extends FenceContract {

    @Override
    TestDatabase start() {
        return TestDatabase.postgres();
    }
}
