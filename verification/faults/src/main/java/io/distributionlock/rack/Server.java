package io.distributionlock.rack;

import io.distributionlock.testing.RedisProcess;

/** One of several servers, of whatever kind. */
interface Server {

    void kill();

    /** With what it has on its disk, which is nothing for a Redis of a quorum. */
    void startAgain();

    void pause();

    void resume();

    static Server of(RedisProcess redis) {
        return new Server() {
            @Override
            public void kill() {
                redis.kill();
            }

            @Override
            public void startAgain() {
                redis.startAgain();
            }

            @Override
            public void pause() {
                redis.pause();
            }

            @Override
            public void resume() {
                redis.resume();
            }
        };
    }
}
