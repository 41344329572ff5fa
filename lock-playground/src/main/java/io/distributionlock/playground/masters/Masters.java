package io.distributionlock.playground.masters;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.NestedExceptionUtils;

/**
 * The servers that the playground has started or joined, which are the ones it may kill. None if the locks are kept
 * elsewhere.
 *
 * <p>If they cannot start, the application starts anyway: everything but this scenario works without them.
 */
final class Masters implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Masters.class);

    /** Many times longer than they need. */
    private static final Duration START_LIMIT = Duration.ofSeconds(3);

    private final List<Master> all;
    private final ExecutorService starting;

    private Masters(List<Master> all) {
        this.all = all;
        this.starting = Executors.newFixedThreadPool(Math.max(1, all.size()), task -> {
            Thread thread = new Thread(task, "starting-master");
            thread.setDaemon(true);
            return thread;
        });
    }

    /**
     * Starts or joins all of them at once. Returns when they answer, after three seconds at the latest; they may come
     * up later.
     */
    static Masters start(MastersProperties properties, Path dataDirectory) {
        Masters masters = new Masters(properties.ownPorts().stream()
                .map(port -> new Master(port, dataDirectory.resolve("master-" + port), properties.restartDelay()))
                .toList());
        masters.startAll();
        return masters;
    }

    private void startAll() {
        List<CompletableFuture<Void>> started = new ArrayList<>();
        for (Master master : all) {
            started.add(CompletableFuture.runAsync(() -> startOrWarn(master), starting));
        }
        starting.shutdown();
        try {
            CompletableFuture.allOf(started.toArray(CompletableFuture[]::new))
                    .get(START_LIMIT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException notYet) {
            LOG.info("The three masters are still starting; only the scenario 'Three masters' has to wait for them");
        } catch (ExecutionException unexpected) {
            throw new IllegalStateException("The three masters cannot be started", unexpected.getCause());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private static void startOrWarn(Master master) {
        try {
            master.start();
        } catch (RuntimeException failed) {
            LOG.warn(
                    "The master on port {} is missing, which affects only the scenario 'Three masters': {} ({})",
                    master.port(),
                    failed.getMessage(),
                    NestedExceptionUtils.getMostSpecificCause(failed).getMessage());
            LOG.debug("Why the master on port {} is missing", master.port(), failed);
        }
    }

    List<Master.State> states() {
        return all.stream().map(Master::state).toList();
    }

    Optional<Master> at(int port) {
        return all.stream().filter(master -> master.port() == port).findAny();
    }

    /** Leaves the servers, and stops those that no other instance uses. */
    @Override
    public void close() {
        starting.shutdownNow();
        all.forEach(Master::close);
    }
}
