package io.distributionlock.redis;

import io.distributionlock.testing.RedisBinary;

class LockScriptsOnEmbeddedRedisTest extends LockScriptsContract {

    LockScriptsOnEmbeddedRedisTest() {
        super(RedisBinary.EMBEDDED);
    }
}
