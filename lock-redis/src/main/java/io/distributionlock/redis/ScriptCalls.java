package io.distributionlock.redis;

import io.distributionlock.backend.AcquireReply;
import io.distributionlock.backend.CommandPort.HeartbeatEntry;
import io.distributionlock.backend.CommandPort.Renewal;
import io.distributionlock.backend.RaiseFenceReply;
import io.distributionlock.backend.ReleaseReply;
import io.distributionlock.backend.RenewReply;
import io.distributionlock.monitor.LockInspection;
import io.distributionlock.redis.LockCall.CompareAndDelete;
import io.distributionlock.redis.LockCall.ScriptCall;
import io.distributionlock.redis.LockCall.SetIfAbsent;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.springframework.data.redis.connection.ClusterSlotHashUtil;

/**
 * Encodes each command as a call of its script: which keys it needs, and which arguments. The scripts name them in this order.
 */
final class ScriptCalls {

    /** What a script leaves to the process that has called it. */
    interface FollowUp {

        /**
         * Called on the thread that receives the answer, before the answer is known, so it must not block.
         *
         * @param name the name of the lock
         * @param hasMore whether the script has admitted as many waiters as one run may, and others could still enter
         * @param outbox the messages that the script has sent to nobody, as {@code messages.lua} writes them
         */
        void run(String name, boolean hasMore, List<String> outbox);
    }

    private static final byte[] IF_EQUAL = bytes("IFEQ");

    /** Follows the answer if a further run could admit more waiters. */
    private static final String HAS_MORE = "\nhas-more";

    /** Begins the messages that the calling process has to send. */
    private static final String OUTBOX = "\noutbox\n";

    /** For so many ms at least, a fencing number is remembered after it was drawn or its lease renewed. Half of it outlives each lease. */
    private static final long FENCE_LIFE = Duration.ofMinutes(10).toMillis();

    /** For so many ms a queue outlives the last waiting acquire. */
    private static final long QUEUE_LIFE = Duration.ofSeconds(30).toMillis();

    /** For so many ms an abandoned claim is remembered; longer than any command can be in flight. */
    private static final long TOMBSTONE_LIFE = Duration.ofMinutes(5).toMillis();

    private final String keyPrefix;

    /** The settings of the scripts up to the name of the lock. */
    private final String settingsStart;

    private final FollowUp followUp;
    private final long livenessTimeoutMillis;

    /**
     * @param channelPrefix of the channels to which the scripts publish; empty if the calling process sends the messages
     * @param followUp does what a script leaves to this process
     */
    ScriptCalls(RedisPortSettings settings, String channelPrefix, FollowUp followUp) {
        this.followUp = followUp;
        this.keyPrefix = settings.keyPrefix();
        this.livenessTimeoutMillis = settings.grantLease().toMillis();
        this.settingsStart = FENCE_LIFE + " " + livenessTimeoutMillis + " " + QUEUE_LIFE + " " + TOMBSTONE_LIFE + " "
                + channelPrefix + "\n";
    }

    SetIfAbsent set(String name, String claim, long leaseMillis) {
        return new SetIfAbsent(keys(name).owner(), bytes(claim), leaseMillis);
    }

    ScriptCall<AcquireReply> acquire(String name, String claim, long leaseMillis, boolean wait) {
        List<?> arguments = wait ? List.of(claim, leaseMillis, "wait") : List.of(claim, leaseMillis);
        return call(LockScript.ACQUIRE, name, List.of(claim), arguments, ScriptAnswers::acquire);
    }

    ScriptCall<List<AcquireReply>> heartbeat(String name, List<HeartbeatEntry> entries) {
        List<String> claims = entries.stream().map(HeartbeatEntry::claim).toList();
        List<Object> arguments = new ArrayList<>(2 * entries.size());
        for (HeartbeatEntry entry : entries) {
            arguments.add(entry.claim());
            arguments.add(entry.leaseMillis());
        }
        return call(LockScript.HEARTBEAT, name, claims, arguments, ScriptAnswers::heartbeat);
    }

    ScriptCall<ReleaseReply> release(String name, String claim, boolean tombstone, long minHoldMillis) {
        List<?> arguments = minHoldMillis > 0 ? List.of(claim, minHoldMillis) : List.of(claim);
        return call(
                LockScript.RELEASE, name, tombstone ? List.of(claim) : List.of(), arguments, ScriptAnswers::release);
    }

    /** Releases a lock that was acquired by a plain SET, if nobody is known to wait for it. */
    ScriptCall<Boolean> releaseUncontended(String name, String claim) {
        return new ScriptCall<>(
                LockScript.RELEASE_UNCONTENDED, 1, List.of(keys(name).owner(), bytes(claim)), ScriptAnswers::yes);
    }

    /** Releases by the command that Redis has from 8.4, and Valkey from 9.2 on. */
    CompareAndDelete delex(String name, String claim) {
        return new CompareAndDelete("DELEX", keys(name).owner(), List.of(IF_EQUAL, bytes(claim)));
    }

    /** Releases by the command that Valkey has from 9.0 on. */
    CompareAndDelete delifeq(String name, String claim) {
        return new CompareAndDelete("DELIFEQ", keys(name).owner(), List.of(bytes(claim)));
    }

    /**
     * Draws the fencing number of a lock that was acquired by a plain SET.
     *
     * @param leaseMillis the lease, which determines how long the number is remembered
     */
    ScriptCall<Long> number(String name, String claim, long leaseMillis) {
        return call(LockScript.NUMBER, name, List.of(claim, leaseMillis), ScriptAnswers::number);
    }

    /** For exclusive claims. */
    ScriptCall<List<RenewReply>> renew(List<Renewal> renewals) {
        List<byte[]> parameters = new ArrayList<>(2 + 5 * renewals.size());
        List<byte[]> fences = new ArrayList<>(renewals.size());
        List<byte[]> arguments = new ArrayList<>(2 + 3 * renewals.size());
        arguments.add(bytes(FENCE_LIFE));
        arguments.add(bytes(livenessTimeoutMillis));
        for (Renewal renewal : renewals) {
            LockKeys keys = keys(renewal.name());
            parameters.add(keys.owner());
            if (renewal.numbered()) {
                fences.add(keys.fence());
            }
            arguments.add(bytes(renewal.claim()));
            arguments.add(bytes(renewal.leaseMillis()));
            arguments.add(bytes(renewal.numbered() ? "numbered" : ""));
        }
        parameters.addAll(fences);
        int keyCount = parameters.size();
        parameters.addAll(arguments);
        return new ScriptCall<>(LockScript.RENEW, keyCount, parameters, ScriptAnswers::renewal);
    }

    ScriptCall<List<RenewReply>> renewReader(Renewal renewal) {
        return call(
                LockScript.RENEW_READER,
                renewal.name(),
                List.of(renewal.claim(), renewal.leaseMillis()),
                ScriptAnswers::renewal);
    }

    ScriptCall<Boolean> locked(String name) {
        return call(LockScript.LOCKED, name, List.of(), ScriptAnswers::yes);
    }

    ScriptCall<LockInspection> inspect(String name) {
        return call(
                LockScript.INSPECT,
                name,
                List.of(LockInspection.MAX_CLAIMS),
                answer -> ScriptAnswers.inspection(name, answer));
    }

    ScriptCall<String> probeOwners(String name) {
        return call(LockScript.PROBE_OWNER, name, List.of(), nothing -> nothing);
    }

    /**
     * At most {@link LockScript#CLAIMS_OF_A_RUN} of those inside. The first line of the answer is where it has ended, empty if nobody
     * follows; then come the claims.
     *
     * @param from where the last answer ended, empty at first
     */
    ScriptCall<List<String>> holders(String name, String from) {
        return call(
                LockScript.HOLDERS,
                name,
                from.isEmpty() ? List.of() : List.of(from),
                answer -> answer.lines().toList());
    }

    /** @param claims at most {@link LockScript#CLAIMS_OF_A_RUN} */
    ScriptCall<String> forceRelease(String name, List<String> claims) {
        return call(LockScript.FORCE_RELEASE, name, claims, nothing -> nothing);
    }

    ScriptCall<String> admit(String name) {
        return call(LockScript.ADMIT, name, List.of(), nothing -> nothing);
    }

    ScriptCall<RaiseFenceReply> raiseFence(
            String name, String claim, long fence, long leaseMillis, long leastUptimeSeconds) {
        List<?> arguments = leastUptimeSeconds > 0
                ? List.of(claim, leaseMillis, fence, leastUptimeSeconds)
                : List.of(claim, leaseMillis, fence);
        return call(LockScript.RAISE_FENCE, name, arguments, ScriptAnswers::raiseFence);
    }

    /** The Cluster slot of a lock. */
    int slot(String name) {
        return ClusterSlotHashUtil.calculateSlot(keys(name).owner());
    }

    private LockKeys keys(String name) {
        return new LockKeys(keyPrefix, name);
    }

    private <T> ScriptCall<T> call(LockScript script, String name, List<?> arguments, Function<String, T> meaning) {
        return call(script, name, List.of(), arguments, meaning);
    }

    /**
     * @param script one of those that include lock.lua
     * @param tombstones the claims whose tombstones the script reads or writes
     */
    private <T> ScriptCall<T> call(
            LockScript script, String name, List<String> tombstones, List<?> arguments, Function<String, T> meaning) {
        LockKeys keys = keys(name);
        List<byte[]> parameters = new ArrayList<>(7 + tombstones.size() + arguments.size());
        keys.addTo(parameters);
        tombstones.forEach(claim -> parameters.add(keys.tombstone(claim)));
        int keyCount = parameters.size();
        parameters.add(bytes(script.label()));
        parameters.add(bytes(settingsStart + name));
        arguments.forEach(argument -> parameters.add(bytes(argument.toString())));
        return new ScriptCall<>(script, keyCount, parameters, answer -> meaning.apply(withoutFollowUp(name, answer)));
    }

    private String withoutFollowUp(String name, String answer) {
        int messages = answer.indexOf(OUTBOX);
        String rest = messages < 0 ? answer : answer.substring(0, messages);
        boolean hasMore = rest.endsWith(HAS_MORE);
        if (hasMore || messages >= 0) {
            List<String> outbox = messages < 0
                    ? List.of()
                    : answer.substring(messages + OUTBOX.length()).lines().toList();
            followUp.run(name, hasMore, outbox);
        }
        return hasMore ? rest.substring(0, rest.length() - HAS_MORE.length()) : rest;
    }

    private static byte[] bytes(long number) {
        return bytes(Long.toString(number));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
