package io.distributionlock.redis;

import io.distributionlock.backend.AcquireReply;
import io.distributionlock.backend.CommandListener;
import io.distributionlock.backend.CommandPort;
import io.distributionlock.backend.RaiseFenceReply;
import io.distributionlock.backend.ReleaseReply;
import io.distributionlock.backend.RenewReply;
import io.distributionlock.backend.TryAgainException;
import io.distributionlock.internal.BackendProblemException;
import io.distributionlock.internal.ClaimIds;
import io.distributionlock.internal.DaemonThreads;
import io.distributionlock.internal.Internal;
import io.distributionlock.monitor.LockInspection;
import io.distributionlock.redis.LockCall.ScriptCall;
import io.distributionlock.redis.LockCall.SetIfAbsent;
import io.distributionlock.redis.message.LockMessages;
import io.distributionlock.redis.message.MessageCapability;
import io.distributionlock.redis.message.MessageSettings;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;

/**
 * The engine's commands as Lua scripts on the Redis of a {@link StringRedisTemplate}.
 *
 * <p>With Lettuce (one server, Sentinel or Cluster), scripts use a dedicated native connection, made by the client of the template's
 * factory. With any other client, they run on a few dedicated threads.
 *
 * <p>Thread-safe. Connects on the first command, unless {@link #connect} was called before.
 *
 * @hidden
 */
@Internal
public final class RedisCommandPort implements CommandPort {

    private static final Log log = LogFactory.getLog(RedisCommandPort.class);

    /** The answer to a plain SET that has found the lock free. */
    private static final AcquireReply UNNUMBERED = new AcquireReply.Ok(0, 0);

    private final ScriptCalls calls;
    private final ScriptSender sender;

    /** For writes that count only once replicas have them; {@code null} if none have to. */
    private final @Nullable ReplicatedScriptSender replicated;

    private final UncontendedReleases uncontendedReleases;
    private final RedisRenewals renewals;
    private final LockMessages messages;
    private final String endpoint;
    private final SettingNames names;

    private final String instance;

    /** A claim that is never made: whatever only tries a command releases for it, however late it runs. */
    private final String nobody;

    /** Repeats what Redis has refused for the moment; has a thread only then. */
    private final ScheduledExecutorService timer = DaemonThreads.timer("distribution-lock-again");

    private volatile @Nullable CommandListener listener;

    /**
     * Whether the server has released by script over this connection, and has not failed to since. Otherwise a SET could take a lock
     * that cannot be released: because scripts are forbidden, or because the script is unknown and the answer that says so is lost.
     */
    private volatile boolean runsScripts;

    public RedisCommandPort(StringRedisTemplate template, RedisPortSettings settings) {
        this(template, settings, ReplicaAcks.NONE, MessageSettings.STANDARD);
    }

    /**
     * @param acks how many replicas must acknowledge a lock before it counts
     * @param messaging how this process is notified of locks that it was granted
     * @throws IllegalStateException if replicas must acknowledge, and the template's connections cannot wait for them
     */
    public RedisCommandPort(
            StringRedisTemplate template, RedisPortSettings settings, ReplicaAcks acks, MessageSettings messaging) {
        RedisConnectionFactory factory =
                Objects.requireNonNull(template, "template").getRequiredConnectionFactory();
        this.endpoint = RedisAddress.of(factory);
        this.names = SettingNames.of(factory);
        this.instance = settings.instance();
        this.nobody = instance + ":0";
        this.sender = RedisAddress.isOfLettuce(factory)
                ? LettuceFactories.sender(factory, this::reconnected)
                : new TemplateScriptSender(template, this::reconnected, endpoint);
        this.messages = new LockMessages(
                messaging,
                RedisAddress.isOfCluster(factory),
                settings.channelPrefix(),
                settings.instance(),
                messageCapability(factory),
                sender::publish);
        this.calls = new ScriptCalls(settings, messages.channelPrefixOfScripts(), this::continueAdmission);
        this.replicated = acks.areWanted() ? replicated(factory, acks) : null;
        this.uncontendedReleases = new UncontendedReleases(calls, sender);
        this.renewals = new RedisRenewals(
                calls, sender, replicated, timer, RedisAddress.isOfOneServer(factory) ? name -> 0 : calls::slot);
    }

    private static MessageCapability messageCapability(RedisConnectionFactory factory) {
        if (RedisAddress.hasOnlyOneConnection(factory)) {
            log.warn(
                    "The connection pool of the Redis client has one connection (spring.data.redis.jedis.pool.max-active=1),"
                            + " and waiting acquires need one more to be notified of a release. Without it, they poll.");
            return MessageCapability.NONE;
        }
        return RedisAddress.isOfLettuce(factory)
                ? LettuceFactories.messageCapability(factory)
                : MessageCapability.ofClassic(factory);
    }

    private ReplicatedScriptSender replicated(RedisConnectionFactory factory, ReplicaAcks acks) {
        if (!RedisAddress.isOfLettuce(factory) || RedisAddress.isOfCluster(factory)) {
            throw new BackendProblemException(
                    "distribution-lock.redis.min-replicas-to-ack is " + acks.replicas()
                            + ", which needs Lettuce and one Redis or Sentinels; here is "
                            + factory.getClass().getSimpleName()
                            + (RedisAddress.isOfLettuce(factory) ? " to a Cluster" : "")
                            + ".",
                    "Set it to 0.",
                    null);
        }
        return LettuceFactories.replicated(factory, acks, this::reconnected);
    }

    @Override
    public void attach(CommandListener listener) {
        this.listener = Objects.requireNonNull(listener, "listener");
        messages.attach(listener);
    }

    @Override
    public void connect() {
        sender.connect();
        if (replicated != null) {
            replicated.connect();
        }
    }

    private void reconnected() {
        runsScripts = false;
        uncontendedReleases.reconnected();
        messages.checkSoon();
        CommandListener attached = listener;
        if (attached != null) {
            attached.reconnected();
        }
    }

    @Override
    public CompletableFuture<AcquireReply> acquire(String name, String claim, long leaseMillis, boolean wait) {
        ScriptCall<AcquireReply> call = calls.acquire(name, claim, leaseMillis, wait);
        CompletableFuture<AcquireReply> answer = replicated == null
                ? sender.send(call)
                : replicated.send(call, reply -> reply instanceof AcquireReply.Ok);
        if (wait) {
            answer.thenAccept(this::checkThatMessagesArrive);
        }
        return answer;
    }

    @Override
    public CompletableFuture<AcquireReply> acquireUncontended(
            String name, String claim, long leaseMillis, boolean wait) {
        if (runsScripts) {
            return setOrAcquire(name, claim, leaseMillis, wait);
        }
        // These only try what works over this connection.
        uncontendedReleases.tryCommands(name, nobody);
        return FollowedCall.of(release(name, nobody, false, 0), nothingReleased -> {
            runsScripts = true;
            return setOrAcquire(name, claim, leaseMillis, wait);
        });
    }

    private CompletableFuture<AcquireReply> setOrAcquire(String name, String claim, long leaseMillis, boolean wait) {
        SetIfAbsent set = calls.set(name, claim, leaseMillis);
        return FollowedCall.of(
                replicated == null ? sender.send(set) : replicated.send(set, taken -> taken),
                taken -> taken
                        ? CompletableFuture.completedFuture(UNNUMBERED)
                        : acquire(name, claim, leaseMillis, wait));
    }

    @Override
    public CompletableFuture<Long> number(String name, String claim, long leaseMillis) {
        return retrying(calls.number(name, claim, leaseMillis));
    }

    private void checkThatMessagesArrive(AcquireReply reply) {
        if (reply instanceof AcquireReply.Busy) {
            messages.somebodyWaits();
        }
    }

    /** Each claim is acknowledged by the replicas separately, if they have to. */
    @Override
    public int maxHeartbeatEntries() {
        return replicated == null ? MAX_HEARTBEAT_ENTRIES : 1;
    }

    @Override
    public CompletableFuture<List<AcquireReply>> acquireAll(String name, List<HeartbeatEntry> entries) {
        messages.somebodyWaits();
        return sender.send(calls.heartbeat(name, entries));
    }

    @Override
    public CompletableFuture<ReleaseReply> release(String name, String claim, boolean tombstone, long minHoldMillis) {
        return noticingFailure(sender.send(calls.release(name, claim, tombstone, minHoldMillis)));
    }

    @Override
    public CompletableFuture<ReleaseReply> releaseUncontended(String name, String claim) {
        return noticingFailure(FollowedCall.of(uncontendedReleases.send(name, claim), (released, failure) -> {
            if (failure == null && released) {
                return CompletableFuture.completedFuture(ReleaseReply.RELEASED);
            }
            return failure == null || uncontendedReleases.isRefused(failure)
                    ? release(name, claim, false, 0)
                    : CompletableFuture.failedFuture(failure);
        }));
    }

    /** Scripts may have been forbidden since the last one ran. */
    private <T> CompletableFuture<T> noticingFailure(CompletableFuture<T> release) {
        release.whenComplete((reply, failure) -> {
            if (failure != null) {
                runsScripts = false;
            }
        });
        return release;
    }

    @Override
    public List<CompletableFuture<RenewReply>> renew(List<Renewal> leases) {
        return renewals.send(leases);
    }

    @Override
    public CompletableFuture<Boolean> isLocked(String name) {
        return retrying(calls.locked(name));
    }

    @Override
    public CompletableFuture<LockInspection> inspect(String name) {
        return sender.send(calls.inspect(name));
    }

    @Override
    public void probeOwners(String name) {
        sender.send(calls.probeOwners(name));
    }

    @Override
    public CompletableFuture<Boolean> forceRelease(String name) {
        return forceRelease(name, () -> {});
    }

    /**
     * Names those who are inside: a copy that runs late, or again, must not free a claim that has entered since. All are looked up before
     * the first is named, since others may enter in its place.
     */
    @Override
    public CompletableFuture<Boolean> forceRelease(String name, Runnable answered) {
        List<String> inside = new ArrayList<>();
        return FollowedCall.of(lookUp(name, inside, answered), all -> {
            Iterator<String> claims = inside.iterator();
            return inside.isEmpty()
                    ? CompletableFuture.completedFuture(false)
                    : FollowedCall.as(release(name, claims, answered), released -> true);
        });
    }

    private CompletableFuture<Boolean> lookUp(String name, List<String> inside, Runnable answered) {
        AtomicReference<String> from = new AtomicReference<>("");
        return FollowedCall.repeated(() -> FollowedCall.as(retrying(calls.holders(name, from.getPlain())), some -> {
            answered.run();
            inside.addAll(some.subList(1, some.size()));
            from.setPlain(some.get(0));
            return !some.get(0).isEmpty();
        }));
    }

    private CompletableFuture<Boolean> release(String name, Iterator<String> claims, Runnable answered) {
        return FollowedCall.repeated(() -> {
            List<String> some = new ArrayList<>();
            while (some.size() < LockScript.CLAIMS_OF_A_RUN && claims.hasNext()) {
                some.add(claims.next());
            }
            return FollowedCall.as(retrying(calls.forceRelease(name, some)), done -> {
                answered.run();
                CommandListener attached = listener;
                if (attached != null) {
                    // This process may not listen to messages yet.
                    some.stream()
                            .filter(claim -> ClaimIds.isOf(instance, claim))
                            .forEach(claim -> attached.revoked(name, claim));
                }
                return claims.hasNext();
            });
        });
    }

    /** Sends the messages of a run, and goes on until every waiter that may enter is admitted. */
    private void continueAdmission(String name, boolean hasMore, List<String> outbox) {
        if (!outbox.isEmpty()) {
            messages.deliver(name, outbox);
        }
        if (hasMore) {
            sender.send(calls.admit(name));
        }
    }

    private <T> CompletableFuture<T> retrying(ScriptCall<T> call) {
        return RetryingCall.of(sender.send(call), () -> sender.send(call), timer);
    }

    @Override
    public CompletableFuture<RaiseFenceReply> raiseFence(
            String name, String claim, long fence, long leaseMillis, long leastUptimeSeconds) {
        return sender.send(calls.raiseFence(name, claim, fence, leaseMillis, leastUptimeSeconds));
    }

    @Override
    public void listen() {
        messages.listen();
    }

    @Override
    public long pollMillis() {
        return messages.pollMillis();
    }

    @Override
    public String endpoint() {
        return endpoint;
    }

    @Override
    public Throwable explained(Throwable failure) {
        if (failure instanceof TryAgainException) {
            // It lasted until the end of an attempt: then it is more than a fail-over.
            return RedisErrorExplanations.explainedEvenIfTemporary(failure, names);
        }
        ScriptSender.Diagnosis diagnosis = diagnosis();
        return diagnosis == null ? failure : RedisErrorExplanations.ofSilence(failure, diagnosis);
    }

    /** Explains a failure for want of an answer by the nodes to which there is no connection yet. */
    public static Throwable explained(Throwable failure, String nodes) {
        return RedisErrorExplanations.ofSilence(
                failure,
                ScriptSender.Diagnosis.notConnectedYet(
                        nodes, SettingNames.ofUris("the addresses of the nodes", "their SSL bundle")));
    }

    private ScriptSender.@Nullable Diagnosis diagnosis() {
        ScriptSender.Diagnosis diagnosis = replicated == null ? null : replicated.diagnosis();
        return diagnosis == null ? sender.diagnosis() : diagnosis;
    }

    @Override
    public void close() {
        messages.close();
        if (replicated != null) {
            replicated.close();
        }
        sender.close();
        timer.shutdown();
    }
}
