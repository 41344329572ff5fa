package io.distributionlock.redis;

import io.distributionlock.testing.RedisBinary;

class FullMemoryOnInstalledRedisTest extends FullMemoryContract {

    FullMemoryOnInstalledRedisTest() {
        super(RedisBinary.INSTALLED);
    }
}
