package io.distributionlock.redis;

import io.distributionlock.testing.RedisBinary;
import org.junit.jupiter.api.Tag;

@Tag("long")
class FullMemoryOnInstalledRedisTest extends FullMemoryContract {

    FullMemoryOnInstalledRedisTest() {
        super(RedisBinary.INSTALLED);
    }
}
