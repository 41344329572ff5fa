package io.distributionlock.redis;

import io.distributionlock.testing.RedisBinary;

class LockScriptsOnInstalledRedisTest extends LockScriptsContract {

    LockScriptsOnInstalledRedisTest() {
        super(RedisBinary.INSTALLED);
    }
}
