package io.distributionlock.redis;

import io.distributionlock.backend.AcquireReply;
import io.distributionlock.backend.CommandPort.Bidding;
import io.distributionlock.backend.CommandPort.Renewal;
import io.distributionlock.backend.ReleaseReply;
import io.distributionlock.monitor.LockInspection;
import io.distributionlock.redis.LockCall.CompareAndDelete;
import io.distributionlock.redis.LockCall.PlainSet;
import io.distributionlock.redis.LockCall.ScriptCall;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.springframework.data.redis.connection.ClusterSlotHashUtil;

/**
 * Encodes each command as a call of its script: which keys it needs, and which arguments. The scripts name them in this order.
 *
 * <p>The duties of a script are what it leaves to this process.
 */
final class ScriptCalls {

    private static final byte[] WAIT = bytes("wait");
    private static final byte[] IF_EQUAL = bytes("IFEQ");
    private static final byte[] NUMBERED = bytes("numbered");
    private static final byte[] NOT_NUMBERED = {};

    private final String keyPrefix;

    /** The context of the scripts (see handover.lua) up to the name of the lock. */
    private final byte[] contextStart;

    private final long fenceLifeMillis;
    private final byte[] fenceLife;
    private final byte[] liveWindow;

    /** @param channelPrefix of the channels to which the scripts publish; empty if the calling process sends the messages */
    ScriptCalls(RedisPortSettings settings, String channelPrefix) {
        this.keyPrefix = settings.keyPrefix();
        this.fenceLifeMillis = settings.fenceLife().toMillis();
        this.fenceLife = bytes(fenceLifeMillis);
        this.liveWindow = bytes(settings.liveWindow().toMillis());
        this.contextStart = bytes(Stream.of(
                                settings.fenceLife(),
                                settings.grantLease(),
                                settings.liveWindow(),
                                settings.queueLife(),
                                settings.tombstoneLife())
                        .map(Duration::toMillis)
                        .map(String::valueOf)
                        .collect(Collectors.joining(" "))
                + " " + channelPrefix + "\n");
    }

    PlainSet set(String name, String claim, long leaseMillis) {
        return new PlainSet(keys(name).owner(), bytes(claim), leaseMillis);
    }

    ScriptCall<AcquireReply> acquire(String name, String claim, long leaseMillis, boolean wait, ScriptDuties duties) {
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
        return new ScriptCall<>(LockScript.ACQUIRE, 6, parameters, duties);
    }

    ScriptCall<Heartbeat.Reply> beat(String name, List<Bidding> biddings, ScriptDuties duties) {
        List<byte[]> parameters = new ArrayList<>(6 + biddings.size());
        keys(name).addTo(parameters);
        parameters.add(context(name));
        biddings.forEach(bidding -> parameters.add(bytes(bidding.claim())));
        return new ScriptCall<>(LockScript.BEAT, 5, parameters, duties);
    }

    ScriptCall<List<AcquireReply>> acquireAll(String name, List<Bidding> biddings, ScriptDuties duties) {
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
        return new ScriptCall<>(LockScript.ACQUIRE_ALL, keyCount, parameters, duties);
    }

    ScriptCall<ReleaseReply> downgrade(String name, String claim, ScriptDuties duties) {
        List<byte[]> parameters = new ArrayList<>(7);
        keys(name).addTo(parameters);
        parameters.add(bytes(claim));
        parameters.add(context(name));
        return new ScriptCall<>(LockScript.DOWNGRADE, 5, parameters, duties);
    }

    ScriptCall<ReleaseReply> release(
            String name, String claim, boolean tombstone, long keepMillis, ScriptDuties duties) {
        LockKeys keys = keys(name);
        List<byte[]> parameters = new ArrayList<>(9);
        keys.addTo(parameters);
        if (tombstone) {
            parameters.add(keys.tombstone(claim));
        }
        int keyCount = parameters.size();
        parameters.add(bytes(claim));
        parameters.add(context(name));
        if (keepMillis > 0) {
            parameters.add(bytes(keepMillis));
        }
        return new ScriptCall<>(LockScript.RELEASE, keyCount, parameters, duties);
    }

    /** Releases a lock that was acquired by a plain SET, if nobody is known to wait for it. */
    ScriptCall<Boolean> releasePlain(String name, String claim) {
        return new ScriptCall<>(LockScript.RELEASE_PLAIN, 1, List.of(keys(name).owner(), bytes(claim)));
    }

    /** The same by a command that Redis has from 8.4, and Valkey from 9.2 on. */
    CompareAndDelete delex(String name, String claim) {
        return new CompareAndDelete("DELEX", keys(name).owner(), List.of(IF_EQUAL, bytes(claim)));
    }

    /** The same by a command that Valkey has from 9.0 on. */
    CompareAndDelete delifeq(String name, String claim) {
        return new CompareAndDelete("DELIFEQ", keys(name).owner(), List.of(bytes(claim)));
    }

    /**
     * Draws the fencing number of a lock that was acquired by a plain SET.
     *
     * @param leaseMillis the lease, which determines how long the number is remembered
     */
    ScriptCall<OptionalLong> number(String name, String claim, long leaseMillis) {
        LockKeys keys = keys(name);
        List<byte[]> parameters =
                List.of(keys.owner(), keys.fence(), keys.readers(), bytes(claim), fenceLife(leaseMillis));
        return new ScriptCall<>(LockScript.NUMBER, 3, parameters);
    }

    /** For exclusive claims. */
    ScriptCall<List<RedisRenewals.Word>> renew(List<Renewal> renewals) {
        List<byte[]> parameters = new ArrayList<>(2 + 5 * renewals.size());
        List<byte[]> fences = new ArrayList<>(renewals.size());
        List<byte[]> arguments = new ArrayList<>(2 + 3 * renewals.size());
        arguments.add(fenceLife);
        arguments.add(liveWindow);
        for (Renewal renewal : renewals) {
            LockKeys keys = keys(renewal.name());
            parameters.add(keys.owner());
            if (renewal.numbered()) {
                fences.add(keys.fence());
            }
            arguments.add(bytes(renewal.claim()));
            arguments.add(bytes(renewal.leaseMillis()));
            arguments.add(renewal.numbered() ? NUMBERED : NOT_NUMBERED);
        }
        parameters.addAll(fences);
        int keyCount = parameters.size();
        parameters.addAll(arguments);
        return new ScriptCall<>(LockScript.RENEW, keyCount, parameters);
    }

    ScriptCall<List<RedisRenewals.Word>> renewReader(Renewal renewal) {
        LockKeys keys = keys(renewal.name());
        List<byte[]> parameters = new ArrayList<>(8);
        parameters.add(keys.owner());
        parameters.add(keys.readers());
        parameters.add(keys.queue());
        if (renewal.numbered()) {
            parameters.add(keys.fence());
        }
        int keyCount = parameters.size();
        parameters.add(bytes(renewal.claim()));
        parameters.add(bytes(renewal.leaseMillis()));
        parameters.add(fenceLife(renewal.leaseMillis()));
        parameters.add(liveWindow);
        return new ScriptCall<>(LockScript.RENEW_READER, keyCount, parameters);
    }

    ScriptCall<Boolean> locked(String name) {
        LockKeys keys = keys(name);
        return new ScriptCall<>(LockScript.LOCKED, 2, List.of(keys.owner(), keys.readers()));
    }

    ScriptCall<InspectReply> inspect(String name) {
        LockKeys keys = keys(name);
        List<byte[]> parameters =
                List.of(keys.owner(), keys.fence(), keys.queue(), keys.readers(), bytes(LockInspection.MOST_CLAIMS));
        return new ScriptCall<>(LockScript.INSPECT, 4, parameters);
    }

    ScriptCall<Long> inquire(String name, ScriptDuties duties) {
        return new ScriptCall<>(LockScript.INQUIRE, 5, keysAndContext(name), duties);
    }

    ScriptCall<Long> forceRelease(String name, ScriptDuties duties) {
        return new ScriptCall<>(LockScript.FORCE_RELEASE, 5, keysAndContext(name), duties);
    }

    ScriptCall<Boolean> admit(String name, ScriptDuties duties) {
        return new ScriptCall<>(LockScript.ADMIT, 5, keysAndContext(name), duties);
    }

    ScriptCall<RaiseFenceReply> raiseFence(
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
        return new ScriptCall<>(LockScript.RAISE_FENCE, 2, parameters);
    }

    /** The Cluster slot of a lock. */
    int slot(String name) {
        return ClusterSlotHashUtil.calculateSlot(keys(name).owner());
    }

    private LockKeys keys(String name) {
        return new LockKeys(keyPrefix, name);
    }

    private List<byte[]> keysAndContext(String name) {
        List<byte[]> parameters = new ArrayList<>(6);
        keys(name).addTo(parameters);
        parameters.add(context(name));
        return parameters;
    }

    private byte[] context(String name) {
        byte[] nameBytes = bytes(name);
        byte[] context = Arrays.copyOf(contextStart, contextStart.length + nameBytes.length);
        System.arraycopy(nameBytes, 0, context, contextStart.length, nameBytes.length);
        return context;
    }

    /** The fencing number outlives the lease by half of its life at least. */
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
