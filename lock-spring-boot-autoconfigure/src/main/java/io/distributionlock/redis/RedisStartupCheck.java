package io.distributionlock.redis;

import io.distributionlock.LockBackendException;
import io.distributionlock.LockExecutor;
import io.distributionlock.LockOutcome;
import io.distributionlock.LockOwner;
import io.distributionlock.LockRequest;
import io.distributionlock.internal.Await;
import io.distributionlock.internal.BackendProblemException;
import io.distributionlock.internal.DaemonThreads;
import io.distributionlock.internal.Internal;
import java.time.Duration;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeoutException;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.springframework.data.redis.core.RedisCallback;
import org.springframework.data.redis.core.StringRedisTemplate;

/**
 * Checks that locks can be acquired: Redis is reachable, accepts the user, runs the scripts, and is recent enough.
 *
 * @hidden
 */
@Internal
public final class RedisStartupCheck {

    private static final Log log = LogFactory.getLog(RedisStartupCheck.class);

    /** Locked for a moment by each process that starts. */
    private static final String NAME = "distribution-lock-start-check";

    private static final String NO_EVICTION = "noeviction";

    /** Added to the executor's own time, so that the executor reports a failure first: it knows the cause. */
    private static final Duration MARGIN = Duration.ofSeconds(5);

    private final LockExecutor executor;
    private final StringRedisTemplate template;
    private final Duration timeout;

    /** @param answerTimeout how long the executor waits for an answer */
    public RedisStartupCheck(LockExecutor executor, StringRedisTemplate template, Duration answerTimeout) {
        this.executor = executor;
        this.template = template;
        this.timeout = answerTimeout.plus(MARGIN);
    }

    /**
     * Runs three checks; each blocks for the time that an answer may take and five seconds at most.
     *
     * @throws BackendProblemException if locks cannot be acquired; says why and what to do
     */
    public void run() {
        answer(executor.isLocked(NAME));
        ThreadPoolExecutor asking = DaemonThreads.single("distribution-lock-check");
        try {
            Properties info = answer(CompletableFuture.supplyAsync(this::serverInfo, asking));
            checkVersion(info);
            checkEviction(info);
        } finally {
            asking.shutdown();
        }
        // A query may succeed where an acquire does not: with a restricted user, or at a replica.
        LockRequest once = LockRequest.named(NAME).tryLockTime(Duration.ZERO).build();
        LockOutcome outcome = answer(executor.acquire(once, LockOwner.unique()));
        if (outcome instanceof LockOutcome.Acquired acquired) {
            acquired.lease().release();
        } else if (outcome instanceof LockOutcome.BackendFailed failed) {
            throw problem(failed.cause());
        } else if (outcome instanceof LockOutcome.NotReplicated failed) {
            throw problem(failed.cause());
        }
    }

    /** A restricted user may not be allowed to run INFO; the scripts have shown already that they run. */
    private Properties serverInfo() {
        try {
            Properties info = template.execute((RedisCallback<Properties>)
                    connection -> connection.serverCommands().info());
            return info == null ? new Properties() : info;
        } catch (RuntimeException e) {
            log.debug("The version and settings of Redis are not known", e);
            return new Properties();
        }
    }

    /** In a Cluster there is one version per node, under a name that starts with its address. */
    private static void checkVersion(Properties info) {
        for (Map.Entry<Object, Object> field : info.entrySet()) {
            if (String.valueOf(field.getKey()).endsWith("redis_version")) {
                String version = String.valueOf(field.getValue());
                if (RedisVersion.of(version).isOlderThan(RedisVersion.OLDEST)) {
                    throw RedisErrorExplanations.tooOld(version, null);
                }
            }
        }
    }

    /** Only warns: locks work until the memory is full. */
    private static void checkEviction(Properties info) {
        info.stringPropertyNames().stream()
                .filter(field -> field.endsWith("maxmemory_policy"))
                .filter(field -> !info.getProperty(field).equals(NO_EVICTION))
                .findFirst()
                .ifPresent(field -> {
                    String limit = info.getProperty(field.replace("maxmemory_policy", "maxmemory"), "0");
                    log.warn("Redis may evict held locks when its memory is full, because its maxmemory-policy is '"
                            + info.getProperty(field)
                            + "' and all keys of locks have a TTL. Set maxmemory-policy to "
                            + NO_EVICTION + ", or give the locks a separate Redis."
                            + (limit.equals("0") ? " At present no maxmemory is set, so nothing is evicted." : ""));
                });
    }

    private <T> T answer(CompletableFuture<T> query) {
        try {
            return Await.atMost(timeout, query);
        } catch (ExecutionException e) {
            throw problem(e.getCause() == null ? e : e.getCause());
        } catch (TimeoutException e) {
            throw unreachable("no answer within " + timeout.toMillis() + " ms", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw unreachable("the start was interrupted while waiting for an answer", e);
        }
    }

    private static BackendProblemException problem(Throwable failure) {
        Throwable cause =
                failure instanceof LockBackendException && failure.getCause() != null ? failure.getCause() : failure;
        return RedisErrorExplanations.explainedEvenIfTemporary(cause) instanceof BackendProblemException problem
                ? problem
                : unreachable(String.valueOf(cause.getMessage()), cause);
    }

    private static BackendProblemException unreachable(String said, Throwable cause) {
        return new BackendProblemException(
                "Locks cannot be acquired from Redis: " + said + ".",
                "Check that Redis runs at the address in spring.data.redis.* and is reachable from here. To start"
                        + " without it, set distribution-lock.redis.check-on-start=false; methods that need a lock then"
                        + " fail until it is available.",
                cause);
    }
}
