package io.distributionlock.redis;

import io.distributionlock.testing.RedisBinary;
import org.junit.jupiter.api.Tag;

@Tag("long")
class LockScriptsOnInstalledRedisTest extends LockScriptsContract {

    LockScriptsOnInstalledRedisTest() {
        super(RedisBinary.INSTALLED);
    }
}
