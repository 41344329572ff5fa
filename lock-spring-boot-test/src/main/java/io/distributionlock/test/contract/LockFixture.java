package io.distributionlock.contract;

import io.distributionlock.LockExecutor;
import io.distributionlock.testing.RedisProcess;
import java.util.List;

/** Makes the executors of one test. They share one place of locks, and each of them stands for a process. */
public interface LockFixture extends AutoCloseable {

    /** A further process, closed together with the fixture. */
    LockExecutor newProcess();

    /**
     * What the place of locks keeps of this name: owner, queue, readers, peers. Not what may stay for a while, which are the
     * fencing number and tombstones. Empty when nobody holds the lock or waits for it.
     */
    List<String> traces(String name);

    /** The servers that have the locks, if there are any. */
    default List<RedisProcess> servers() {
        return List.of();
    }

    /** Ends all processes that were made. */
    @Override
    void close();
}
