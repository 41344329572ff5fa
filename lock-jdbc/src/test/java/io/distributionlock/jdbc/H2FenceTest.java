package io.distributionlock.jdbc;

import org.junit.jupiter.api.Tag;

/** In this process. */
@Tag("boot4")
class H2FenceTest extends FenceContract {

    @Override
    TestDatabase start() {
        return TestDatabase.h2();
    }
}
