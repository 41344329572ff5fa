package io.distributionlock.benchmarks.contestants;

/** A contestant in an application of Spring Boot, whose connection to Redis it uses. */
public abstract class ContestantOnSpring implements Contestant {

    /** The application. */
    protected final SpringRedis redis;

    protected ContestantOnSpring(SpringRedis redis) {
        this.redis = redis;
    }

    @Override
    public final SentCommands sent() {
        return redis.sent();
    }

    @Override
    public void close() {
        redis.close();
    }
}
