package io.distributionlock.jdbc;

import io.distributionlock.internal.DaemonThreads;
import java.time.Duration;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * Deletes the rows of locks that nobody has held for long, a few at a time until none is left, on a thread of its own. Processes need not
 * agree about who does it.
 */
final class FencePruning implements AutoCloseable {

    private static final Log log = LogFactory.getLog(FencePruning.class);

    private static final Duration PAUSE = Duration.ofMinutes(10);
    private static final int BATCH = 200;

    private final JdbcFence fence;
    private final Duration retention;
    private final ScheduledExecutorService timer = DaemonThreads.timer("distribution-lock-prune");

    /** @param retention how old a row is when it is deleted */
    FencePruning(JdbcFence fence, Duration retention) {
        this.fence = fence;
        this.retention = retention;
    }

    /** The processes of an application start together, so each begins at another time. */
    void start() {
        long first = ThreadLocalRandom.current().nextLong(PAUSE.toMillis());
        timer.scheduleWithFixedDelay(this::prune, first, PAUSE.toMillis(), TimeUnit.MILLISECONDS);
    }

    void prune() {
        try {
            int deleted;
            do {
                deleted = fence.prune(retention, BATCH);
            } while (deleted == BATCH && !timer.isShutdown());
        } catch (RuntimeException e) {
            log.debug("Old fencing tokens were not deleted; another attempt follows", e);
        }
    }

    @Override
    public void close() {
        timer.shutdownNow();
    }
}
