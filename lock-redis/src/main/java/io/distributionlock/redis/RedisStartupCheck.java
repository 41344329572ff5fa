package io.distributionlock.redis;

import io.distributionlock.LockBackendException;
import io.distributionlock.LockExecutor;
import io.distributionlock.LockOutcome;
import io.distributionlock.LockOwner;
import io.distributionlock.LockRequest;
import io.distributionlock.internal.Await;
import io.distributionlock.internal.BackendProblemException;
import io.distributionlock.internal.DaemonThreads;
import io.distributionlock.internal.Failures;
import io.distributionlock.internal.Internal;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeoutException;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.springframework.data.redis.connection.ReturnType;
import org.springframework.data.redis.core.RedisCallback;
import org.springframework.data.redis.core.StringRedisTemplate;

/**
 * Checks that locks can be acquired: Redis is reachable, accepts the user, runs the scripts with all their commands, and is recent
 * enough.
 *
 * @hidden
 */
@Internal
public final class RedisStartupCheck {

    private static final Log log = LogFactory.getLog(RedisStartupCheck.class);

    /** Locked for a moment by each process that starts. */
    private static final String NAME = "distribution-lock-start-check";

    /** The optional command: without it locks work, and waiters poll. */
    private static final String NOTIFYING = "PUBLISH ";

    /** Added to the executor's own time, so that the executor reports a failure first: it knows the cause. */
    private static final Duration MARGIN = Duration.ofSeconds(5);

    /** On a busy machine, the first connection of a process that starts takes seconds. */
    private static final Duration FIRST_CONNECTION = Duration.ofSeconds(10);

    private final String prefix;
    private final LockExecutor executor;
    private final String addresses;
    private final Duration answerTimeout;
    private final String alsoAsked;

    /**
     * @param prefix what each problem and warning starts with, such as {@code "Executor 'orders': "}; may be empty
     * @param addresses the properties that say where the executor's Redis is
     * @param answerTimeout how long the executor waits for an answer
     */
    public RedisStartupCheck(String prefix, LockExecutor executor, String addresses, Duration answerTimeout) {
        this(prefix, executor, addresses, answerTimeout, false);
    }

    /** @param asksForUptime whether the age of the server decides if it counts, so that it must tell it */
    public RedisStartupCheck(
            String prefix, LockExecutor executor, String addresses, Duration answerTimeout, boolean asksForUptime) {
        this.prefix = prefix;
        this.executor = executor;
        this.addresses = addresses;
        this.answerTimeout = answerTimeout;
        this.alsoAsked = asksForUptime ? "uptime" : "";
    }

    /**
     * Runs four checks, of an executor with several servers only the last; each blocks for the time that an answer may take and five
     * seconds at most, the first for ten seconds more.
     *
     * @throws BackendProblemException if locks cannot be acquired; says why and what to do
     */
    public void run() {
        try {
            if (executor instanceof RedisLockExecutor single) {
                checkServer(single.template(), single.keyPrefix());
            }
            acquireOnce();
        } catch (BackendProblemException e) {
            throw prefix.isEmpty() ? e : new BackendProblemException(prefix + e.description(), e.action(), e);
        }
    }

    private void checkServer(StringRedisTemplate template, String keyPrefix) {
        ThreadPoolExecutor asking = DaemonThreads.single("distribution-lock-check");
        try {
            awaitAnswer(template, keyPrefix, asking);
            ServerInfo.check(answer(CompletableFuture.supplyAsync(() -> serverInfo(template), asking)), prefix);
            checkCommands(template, keyPrefix, asking);
        } finally {
            asking.shutdown();
        }
    }

    private void awaitAnswer(StringRedisTemplate template, String keyPrefix, Executor asking) {
        try {
            answer(firstAnswer(System.nanoTime()), FIRST_CONNECTION);
        } catch (BackendProblemException e) {
            if (RedisErrorExplanations.isRefusedCommand(e)) {
                // Before Redis 8, it does not say which command of the script it was.
                checkCommands(template, keyPrefix, asking);
            }
            throw e;
        }
    }

    /** What fails early knows why. What has waited its whole time may just be the first connection of a cold process. */
    private CompletableFuture<Boolean> firstAnswer(long begun) {
        long askedAt = System.nanoTime();
        return executor.isLocked(NAME).exceptionallyCompose(failure -> {
            long now = System.nanoTime();
            boolean hasWaited = now - askedAt >= answerTimeout.toNanos();
            return hasWaited && now - begun < FIRST_CONNECTION.toNanos()
                    ? firstAnswer(begun)
                    : CompletableFuture.failedFuture(Failures.unwrapped(failure));
        });
    }

    private void checkCommands(StringRedisTemplate template, String keyPrefix, Executor asking) {
        List<String> refused = new ArrayList<>(
                answer(CompletableFuture.supplyAsync(() -> refusedCommands(template, keyPrefix), asking)));
        refused.removeIf(RedisErrorExplanations::isStateOfServer);
        List<String> onlyNotifying =
                refused.stream().filter(line -> line.startsWith(NOTIFYING)).toList();
        refused.removeAll(onlyNotifying);
        if (!refused.isEmpty()) {
            throw RedisErrorExplanations.refusedCommands(refused, keyPrefix);
        }
        // In a Cluster, scripts leave that to the processes that call them.
        if (!RedisAddress.isOfCluster(template.getRequiredConnectionFactory())) {
            onlyNotifying.forEach(line -> log.warn(prefix + "Redis refuses PUBLISH in scripts ("
                    + line.substring(NOTIFYING.length())
                    + "). Processes that wait and cannot be notified find a released lock within a second. If the Redis user"
                    + " lacks permissions, grant +publish and &" + keyPrefix + ":wake:*."));
        }
    }

    private List<String> refusedCommands(StringRedisTemplate template, String keyPrefix) {
        byte[] key = new LockKeys(keyPrefix, NAME + ":commands").owner();
        byte[] channel = (keyPrefix + ":wake:" + NAME).getBytes(StandardCharsets.UTF_8);
        byte[] uptime = alsoAsked.getBytes(StandardCharsets.UTF_8);
        byte[] answer = template.execute((RedisCallback<byte[]>) connection -> connection
                .scriptingCommands()
                .eval(LockScript.COMMANDS.text(), ReturnType.VALUE, 1, key, channel, uptime));
        return answer == null
                ? List.of()
                : new String(answer, StandardCharsets.UTF_8).lines().toList();
    }

    /** Empty if it cannot be had: a restricted user, or a service, may forbid INFO. */
    private static Properties serverInfo(StringRedisTemplate template) {
        try {
            Properties info = template.execute((RedisCallback<Properties>)
                    connection -> connection.serverCommands().info());
            return info == null ? new Properties() : info;
        } catch (RuntimeException e) {
            log.debug("INFO was not answered", e);
            return new Properties();
        }
    }

    /** A query may succeed where an acquire does not, such as at a replica. */
    private void acquireOnce() {
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

    private <T> T answer(CompletableFuture<T> query) {
        return answer(query, Duration.ZERO);
    }

    private <T> T answer(CompletableFuture<T> query, Duration more) {
        Duration timeout = answerTimeout.plus(MARGIN).plus(more);
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

    private BackendProblemException problem(Throwable failure) {
        Throwable cause =
                failure instanceof LockBackendException && failure.getCause() != null ? failure.getCause() : failure;
        return RedisErrorExplanations.explainedEvenIfTemporary(cause, names())
                        instanceof BackendProblemException problem
                ? problem
                : unreachable(String.valueOf(cause.getMessage()), cause);
    }

    private SettingNames names() {
        return executor instanceof RedisLockExecutor single
                ? SettingNames.of(single.template().getRequiredConnectionFactory())
                : SettingNames.OF_SPRING;
    }

    private BackendProblemException unreachable(String said, Throwable cause) {
        return new BackendProblemException(
                "Locks cannot be acquired from Redis: " + said + ".",
                "Check that Redis runs at the address in " + addresses + " and is reachable from here. To start"
                        + " without it, set distribution-lock.redis.check-on-start=false; methods that need a lock then"
                        + " fail until it is available.",
                cause);
    }
}
