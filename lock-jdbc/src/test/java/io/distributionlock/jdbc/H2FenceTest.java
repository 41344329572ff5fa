package io.distributionlock.jdbc;

/** In this process. */
class H2FenceTest extends FenceContract {

    @Override
    TestDatabase start() {
        return TestDatabase.h2();
    }
}
