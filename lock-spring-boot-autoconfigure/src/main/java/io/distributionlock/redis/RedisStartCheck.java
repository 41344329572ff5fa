package io.distributionlock.redis;

import io.distributionlock.Await;
import io.distributionlock.BackendProblemException;
import io.distributionlock.LockBackendException;
import io.distributionlock.LockExecutor;
import io.distributionlock.LockOutcome;
import io.distributionlock.LockOwner;
import io.distributionlock.LockRequest;
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

/** Finds out whether locks can be had from this Redis: it can be reached, lets us in, runs the scripts, and is new enough. */
public final class RedisStartCheck {

    private static final Log log = LogFactory.getLog(RedisStartCheck.class);

    /** Taken for a moment by each process that starts. */
    private static final String NAME = "distribution-lock-start-check";

    private static final String NO_EVICTION = "noeviction";

    /** The executor answers within its command timeout and knows why: who stopped listening at that moment could miss it. */
    private static final Duration LONGER_THAN_THE_EXECUTOR = Duration.ofSeconds(5);

    private final LockExecutor executor;
    private final StringRedisTemplate template;
    private final Duration patience;

    /** @param commandTimeout after which the executor gives a command up */
    public RedisStartCheck(LockExecutor executor, StringRedisTemplate template, Duration commandTimeout) {
        this.executor = executor;
        this.template = template;
        this.patience = commandTimeout.plus(LONGER_THAN_THE_EXECUTOR);
    }

    /**
     * Asks three questions, and blocks for each of them for the command timeout and five seconds at most.
     *
     * @throws BackendProblemException if locks cannot be had, saying why and what to do
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
        // Some may ask and not take: users with few rights, and everybody who talks to a replica.
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

    /** A user with few rights need not be allowed to ask; then the scripts have shown already that they run. */
    private Properties serverInfo() {
        try {
            Properties info = template.execute((RedisCallback<Properties>)
                    connection -> connection.serverCommands().info());
            return info == null ? new Properties() : info;
        } catch (RuntimeException e) {
            log.debug("The version and the settings of Redis are not known", e);
            return new Properties();
        }
    }

    /** In a Cluster each node tells its version, under a name that begins with its address. */
    private static void checkVersion(Properties info) {
        for (Map.Entry<Object, Object> field : info.entrySet()) {
            if (String.valueOf(field.getKey()).endsWith("redis_version")) {
                String version = String.valueOf(field.getValue());
                if (RedisVersion.of(version).isOlderThan(RedisVersion.OLDEST)) {
                    throw RedisProblems.tooOld(version, null);
                }
            }
        }
    }

    /** Locks can be had nevertheless, until the memory is full. */
    private static void checkEviction(Properties info) {
        info.stringPropertyNames().stream()
                .filter(field -> field.endsWith("maxmemory_policy"))
                .filter(field -> !info.getProperty(field).equals(NO_EVICTION))
                .findFirst()
                .ifPresent(field -> {
                    String limit = info.getProperty(field.replace("maxmemory_policy", "maxmemory"), "0");
                    log.warn("Redis may evict held locks when its memory is full, because its maxmemory-policy is '"
                            + info.getProperty(field)
                            + "' and all keys of locks have a lifetime. Set maxmemory-policy to "
                            + NO_EVICTION + ", or keep the locks in a Redis of their own."
                            + (limit.equals("0")
                                    ? " At present no maxmemory is set, so that nothing is evicted."
                                    : ""));
                });
    }

    private <T> T answer(CompletableFuture<T> question) {
        try {
            return Await.atMost(patience, question);
        } catch (ExecutionException e) {
            throw problem(e.getCause() == null ? e : e.getCause());
        } catch (TimeoutException e) {
            throw unreachable("no answer within " + patience.toMillis() + " ms", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw unreachable("the start was interrupted while it waited for an answer", e);
        }
    }

    private static BackendProblemException problem(Throwable failure) {
        Throwable cause =
                failure instanceof LockBackendException && failure.getCause() != null ? failure.getCause() : failure;
        return RedisProblems.explainedThoughItMayPass(cause) instanceof BackendProblemException problem
                ? problem
                : unreachable(String.valueOf(cause.getMessage()), cause);
    }

    private static BackendProblemException unreachable(String said, Throwable cause) {
        return new BackendProblemException(
                "Redis cannot be asked for locks: " + said + ".",
                "See that it runs at the place that spring.data.redis.* names, and can be reached from here. To start"
                        + " without it, set distribution-lock.redis.check-on-start=false; methods that need a lock fail then"
                        + " until it is there.",
                cause);
    }
}
