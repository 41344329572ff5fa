package io.distributionlock.jdbc;

import org.junit.jupiter.api.Tag;

/** On a real MariaDB, which CI installs. */
@Tag("long")
class MariaDbFenceTest extends FenceContract {

    @Override
    TestDatabase start() {
        MariaDbServer.assumeInstalled();
        return TestDatabase.mariaDb();
    }
}
