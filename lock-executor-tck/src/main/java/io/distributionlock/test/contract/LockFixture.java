package io.distributionlock.test.contract;

import io.distributionlock.LockExecutor;
import java.util.List;

/**
 * Creates the executors of one test. They share one backend, and each of them stands for a process of its own: what one of them
 * keeps in memory, another must not see.
 */
public interface LockFixture extends AutoCloseable {

    /** Creates the executor of a further process. {@link #close()} ends it. */
    LockExecutor newProcess();

    /**
     * Returns what the backend still stores about a lock: its owner, its queue, its readers. Empty when nobody holds the lock or
     * waits for it. Each test ends with this check. Leave out what may stay for a while, such as the fencing number.
     */
    List<String> traces(String name);

    /**
     * Opens a probe for each server of the backend; none by default. The contract calls the probes continuously during a test, and
     * repeats a failed test if a server was unresponsive meanwhile: leases expire in such a time, as they should.
     */
    default List<Probe> openProbes() {
        return List.of();
    }

    /** Whether a lease tells why it was lost ({@link io.distributionlock.Lease#lossReason}). */
    default boolean tellsLossReasons() {
        return true;
    }

    /** Ends all processes that were created. */
    @Override
    void close();

    /** A connection to a server of the backend, used by one thread. */
    interface Probe extends AutoCloseable {

        /**
         * Returns as soon as the server has answered.
         *
         * @throws Exception if the server is gone; the probe is then closed and not called again
         */
        void ping() throws Exception;

        @Override
        default void close() {}
    }
}
