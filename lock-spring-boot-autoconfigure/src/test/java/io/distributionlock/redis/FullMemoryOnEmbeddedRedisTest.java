package io.distributionlock.redis;

import io.distributionlock.testing.RedisBinary;

class FullMemoryOnEmbeddedRedisTest extends FullMemoryContract {

    FullMemoryOnEmbeddedRedisTest() {
        super(RedisBinary.EMBEDDED);
    }
}
