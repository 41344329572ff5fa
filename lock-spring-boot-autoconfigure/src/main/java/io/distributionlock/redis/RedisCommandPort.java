package io.distributionlock.redis;

import io.distributionlock.BackendProblemException;
import io.distributionlock.engine.AcquireReply;
import io.distributionlock.engine.CommandListener;
import io.distributionlock.engine.CommandPort;
import io.distributionlock.engine.LockInspection;
import io.distributionlock.engine.ReleaseReply;
import io.distributionlock.engine.RenewReply;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.util.ClassUtils;

/**
 * The engine's commands as Lua scripts on the Redis of a {@link StringRedisTemplate}.
 *
 * <p>With Lettuce (one server, Sentinel or Cluster) the scripts go out over a native connection of the port's own, which the client
 * of the template's factory makes. With any other client they run on a few threads of the port's own.
 *
 * <p>Safe for use by many threads. Nothing is connected before the first command.
 */
public final class RedisCommandPort implements CommandPort {

    private static final Log log = LogFactory.getLog(RedisCommandPort.class);

    private static final byte[] WAIT = bytes("wait");

    /** As handover.lua has it. */
    private static final int CLAIMS_OF_A_RUN = 100;

    /** Behind so many further runs others go on, at their heartbeats: nothing that is repeated here goes on for ever. */
    private static final int MOST_RUNS = 1_000;

    private static final long NOBODY_INSIDE = -1;
    private static final long DONE_BUT_OTHERS_MAY_ENTER = -2;

    static final boolean LETTUCE_PRESENT =
            ClassUtils.isPresent("io.lettuce.core.RedisClient", RedisCommandPort.class.getClassLoader());

    private final RedisPortSettings settings;
    private final ScriptSender sender;

    /** For what counts only when replicas have it; {@code null} if none has to. */
    private final @Nullable ReplicatedScripts replicated;

    private final WakeListener wakeListener;
    private final boolean hasConnectionToSpare;
    private final AtomicBoolean toldOfPool = new AtomicBoolean();

    /** Has a thread only when Redis has refused something for the moment. */
    private final ScheduledExecutorService timer = DaemonThreads.timer("distribution-lock-again");

    /** The context of the scripts (see handover.lua) up to the name of the lock. */
    private final byte[] contextStart;

    private final long fenceLifeMillis;
    private final byte[] fenceLife;

    private volatile @Nullable CommandListener listener;

    public RedisCommandPort(StringRedisTemplate template, RedisPortSettings settings) {
        this(template, settings, ReplicaAcks.NONE);
    }

    /**
     * @param acks how many replicas must have a lock before it counts
     * @throws IllegalStateException if replicas must, and the template's connections cannot ask them
     */
    public RedisCommandPort(StringRedisTemplate template, RedisPortSettings settings, ReplicaAcks acks) {
        this.settings = Objects.requireNonNull(settings, "settings");
        RedisConnectionFactory factory =
                Objects.requireNonNull(template, "template").getRequiredConnectionFactory();
        this.sender = LETTUCE_PRESENT && LettuceFactories.isOne(factory)
                ? LettuceFactories.sender(factory, this::reconnected)
                : new TemplateScriptSender(template, this::reconnected);
        this.replicated = acks.areWanted() ? replicated(factory, acks) : null;
        this.hasConnectionToSpare = !RedisPlace.hasOnlyOneConnection(factory);
        this.wakeListener =
                new WakeListener(factory, settings.channel(), message -> sender.publish(settings.channel(), message));
        this.fenceLifeMillis = settings.fenceLife().toMillis();
        this.fenceLife = bytes(fenceLifeMillis);
        this.contextStart = bytes(Stream.of(
                                settings.fenceLife(),
                                settings.grantLease(),
                                settings.liveWindow(),
                                settings.queueLife(),
                                settings.tombstoneLife())
                        .map(duration -> String.valueOf(duration.toMillis()))
                        .collect(Collectors.joining(" "))
                + " " + settings.channelPrefix() + "\n");
    }

    private ReplicatedScripts replicated(RedisConnectionFactory factory, ReplicaAcks acks) {
        if (!LETTUCE_PRESENT || !LettuceFactories.hasOwnConnections(factory)) {
            throw new BackendProblemException(
                    "distribution-lock.redis.min-replicas-to-ack is " + acks.replicas()
                            + ", which needs Lettuce and one Redis or Sentinels; here is "
                            + factory.getClass().getSimpleName()
                            + (LETTUCE_PRESENT && LettuceFactories.isOne(factory) ? " to a Cluster" : "") + ".",
                    "Set it to 0.",
                    null);
        }
        return LettuceFactories.replicated(factory, acks, this::reconnected);
    }

    @Override
    public void attach(CommandListener listener) {
        this.listener = Objects.requireNonNull(listener, "listener");
        wakeListener.attach(listener);
    }

    private void reconnected() {
        wakeListener.checkSoon();
        CommandListener attached = listener;
        if (attached != null) {
            attached.reconnected();
        }
    }

    @Override
    public CompletableFuture<AcquireReply> acquire(String name, String claim, long leaseMillis, boolean wait) {
        LockKeys keys = keys(name);
        List<byte[]> parameters = new ArrayList<>(11);
        keys.addTo(parameters);
        parameters.add(keys.tombstone(claim));
        parameters.add(bytes(claim));
        parameters.add(bytes(leaseMillis));
        parameters.add(fenceLife(leaseMillis));
        parameters.add(context(name));
        if (wait) {
            parameters.add(WAIT);
        }
        ScriptCall<AcquireReply> call = new ScriptCall<>(LockScript.ACQUIRE, 6, parameters, goOn(name));
        CompletableFuture<AcquireReply> answer = replicated == null
                ? sender.send(call)
                : replicated.send(call, reply -> reply instanceof AcquireReply.Ok);
        if (wait) {
            answer.thenAccept(this::looksIfMessagesArrive);
        }
        return answer;
    }

    private void looksIfMessagesArrive(AcquireReply reply) {
        if (reply instanceof AcquireReply.Busy) {
            wakeListener.somebodyWaits();
        }
    }

    @Override
    public CompletableFuture<List<AcquireReply>> acquireAll(String name, List<Bidding> biddings) {
        if (replicated != null) {
            // Whether replicas have it is told of each claim alone.
            return CommandPort.super.acquireAll(name, biddings);
        }
        LockKeys keys = keys(name);
        List<byte[]> parameters = new ArrayList<>(6 + biddings.size());
        keys.addTo(parameters);
        parameters.add(context(name));
        biddings.forEach(bidding -> parameters.add(bytes(bidding.claim())));
        wakeListener.somebodyWaits();
        ScriptCall<BeatReply> beat = new ScriptCall<>(LockScript.BEAT, 5, parameters, goOn(name));
        return Heartbeat.of(biddings, sender.send(beat), absent -> askAgain(name, absent));
    }

    private CompletableFuture<List<AcquireReply>> askAgain(String name, List<Bidding> biddings) {
        LockKeys keys = keys(name);
        List<byte[]> parameters = new ArrayList<>(7 + 3 * biddings.size());
        keys.addTo(parameters);
        biddings.forEach(bidding -> parameters.add(keys.tombstone(bidding.claim())));
        int keyCount = parameters.size();
        long longest = biddings.stream().mapToLong(Bidding::leaseMillis).max().orElse(0);
        parameters.add(fenceLife(longest));
        parameters.add(context(name));
        for (Bidding bidding : biddings) {
            parameters.add(bytes(bidding.claim()));
            parameters.add(bytes(bidding.leaseMillis()));
        }
        return sender.send(new ScriptCall<>(LockScript.ACQUIRE_ALL, keyCount, parameters, goOn(name)));
    }

    @Override
    public CompletableFuture<ReleaseReply> downgrade(String name, String claim) {
        LockKeys keys = keys(name);
        List<byte[]> parameters = new ArrayList<>(7);
        keys.addTo(parameters);
        parameters.add(bytes(claim));
        parameters.add(context(name));
        return sender.send(new ScriptCall<>(LockScript.DOWNGRADE, 5, parameters, goOn(name)));
    }

    @Override
    public CompletableFuture<ReleaseReply> release(String name, String claim, boolean bury, long keepMillis) {
        LockKeys keys = keys(name);
        List<byte[]> parameters = new ArrayList<>(9);
        keys.addTo(parameters);
        if (bury) {
            parameters.add(keys.tombstone(claim));
        }
        int keyCount = parameters.size();
        parameters.add(bytes(claim));
        parameters.add(context(name));
        if (keepMillis > 0) {
            parameters.add(bytes(keepMillis));
        }
        return sender.send(new ScriptCall<>(LockScript.RELEASE, keyCount, parameters, goOn(name)));
    }

    @Override
    public List<CompletableFuture<RenewReply>> renew(List<Renewal> renewals) {
        List<ScriptCall<RenewReply>> calls = new ArrayList<>(renewals.size());
        for (Renewal renewal : renewals) {
            LockKeys keys = keys(renewal.name());
            List<byte[]> parameters = List.of(
                    keys.owner(),
                    keys.fence(),
                    keys.queue(),
                    keys.readers(),
                    bytes(renewal.claim()),
                    bytes(renewal.leaseMillis()),
                    fenceLife(renewal.leaseMillis()));
            calls.add(new ScriptCall<>(LockScript.RENEW, 4, parameters));
        }
        List<CompletableFuture<RenewReply>> first = sendRenewals(calls, renewals);
        List<CompletableFuture<RenewReply>> answers = new ArrayList<>(first.size());
        for (int i = 0; i < first.size(); i++) {
            List<ScriptCall<RenewReply>> call = List.of(calls.get(i));
            List<Renewal> renewal = List.of(renewals.get(i));
            answers.add(PatientCall.of(
                    first.get(i), () -> sendRenewals(call, renewal).get(0), timer));
        }
        return answers;
    }

    private List<CompletableFuture<RenewReply>> sendRenewals(
            List<ScriptCall<RenewReply>> calls, List<Renewal> renewals) {
        // Who only asks prolongs nothing that a replica would have to know.
        boolean prolongs = renewals.stream().anyMatch(renewal -> renewal.leaseMillis() > 0);
        return replicated == null || !prolongs ? sender.sendAll(calls) : replicated.sendAll(calls, RenewReply::held);
    }

    @Override
    public CompletableFuture<Boolean> isLocked(String name) {
        LockKeys keys = keys(name);
        return patiently(new ScriptCall<>(LockScript.LOCKED, 2, List.of(keys.owner(), keys.readers())));
    }

    @Override
    public CompletableFuture<LockInspection> inspect(String name) {
        LockKeys keys = keys(name);
        List<byte[]> parameters =
                List.of(keys.owner(), keys.fence(), keys.queue(), keys.readers(), bytes(LockInspection.MOST_CLAIMS));
        return sender.send(new ScriptCall<>(LockScript.INSPECT, 4, parameters)).thenApply(reply -> reply.of(name));
    }

    @Override
    public void inquire(String name) {
        sender.send(new ScriptCall<>(LockScript.INQUIRE, 5, keysAndContext(name)));
    }

    @Override
    public CompletableFuture<Boolean> forceRelease(String name) {
        return forceRelease(name, MOST_RUNS);
    }

    /** A run frees some; the first says how many further runs those need who were inside then, and not who comes meanwhile. */
    private CompletableFuture<Boolean> forceRelease(String name, long runs) {
        return patiently(new ScriptCall<>(LockScript.FORCE_RELEASE, 5, keysAndContext(name)))
                .thenCompose(left -> {
                    if (left > 0 && runs > 0) {
                        return forceRelease(name, Math.min(runs - 1, left / CLAIMS_OF_A_RUN))
                                .thenApply(wasHeld -> true);
                    }
                    if (left == DONE_BUT_OTHERS_MAY_ENTER) {
                        goOn(name).run();
                    }
                    return CompletableFuture.completedFuture(left != NOBODY_INSIDE);
                });
    }

    /** What is to be done when a script has handled as many claims as it may: go on, until all who may enter are inside. */
    private Runnable goOn(String name) {
        return () -> admit(name, MOST_RUNS);
    }

    private void admit(String name, int runs) {
        sender.send(new ScriptCall<>(LockScript.ADMIT, 5, keysAndContext(name))).thenAccept(undone -> {
            if (undone && runs > 1) {
                admit(name, runs - 1);
            }
        });
    }

    private List<byte[]> keysAndContext(String name) {
        List<byte[]> parameters = new ArrayList<>(6);
        keys(name).addTo(parameters);
        parameters.add(context(name));
        return parameters;
    }

    private <T> CompletableFuture<T> patiently(ScriptCall<T> call) {
        return PatientCall.of(sender.send(call), () -> sender.send(call), timer);
    }

    /**
     * Lifts the last fencing number of a lock to this one, if the claim owns the lock and the server has been up long enough.
     *
     * @param leaseMillis the lease that was asked for, by which the life of the number goes
     * @param leastUptimeSeconds for how long the server must have been up by its own account; 0 for any time
     */
    public CompletableFuture<RaiseReply> raiseFence(
            String name, String claim, long fence, long leaseMillis, long leastUptimeSeconds) {
        LockKeys keys = keys(name);
        List<byte[]> parameters = new ArrayList<>(6);
        parameters.add(keys.owner());
        parameters.add(keys.fence());
        parameters.add(bytes(claim));
        parameters.add(bytes(fence));
        parameters.add(fenceLife(leaseMillis));
        if (leastUptimeSeconds > 0) {
            parameters.add(bytes(leastUptimeSeconds));
        }
        return sender.send(new ScriptCall<>(LockScript.RAISE_FENCE, 2, parameters));
    }

    @Override
    public void listen() {
        if (!hasConnectionToSpare) {
            if (toldOfPool.compareAndSet(false, true)) {
                log.warn(
                        "The connection pool of the Redis client has one connection (spring.data.redis.jedis.pool.max-active=1),"
                                + " and locks need one more to be told of their release at once. Waiting locks ask every second"
                                + " instead.");
            }
            return;
        }
        wakeListener.listen();
    }

    @Override
    public Throwable explained(TimeoutException silence) {
        String obstacle = sender.obstacle();
        return obstacle == null ? silence : RedisProblems.notConnected(obstacle, silence);
    }

    @Override
    public void close() {
        wakeListener.close();
        if (replicated != null) {
            replicated.close();
        }
        sender.close();
        timer.shutdown();
    }

    private LockKeys keys(String name) {
        return new LockKeys(settings.keyPrefix(), name);
    }

    private byte[] context(String name) {
        byte[] nameBytes = bytes(name);
        byte[] context = Arrays.copyOf(contextStart, contextStart.length + nameBytes.length);
        System.arraycopy(nameBytes, 0, context, contextStart.length, nameBytes.length);
        return context;
    }

    private byte[] fenceLife(long leaseMillis) {
        long margin = fenceLifeMillis / 2;
        return leaseMillis > margin ? bytes(leaseMillis + margin) : fenceLife;
    }

    private static byte[] bytes(long number) {
        return Long.toString(number).getBytes(StandardCharsets.ISO_8859_1);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
