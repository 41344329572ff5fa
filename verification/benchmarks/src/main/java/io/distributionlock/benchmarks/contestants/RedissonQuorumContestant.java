package io.distributionlock.benchmarks.contestants;

import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.redisson.Redisson;
import org.redisson.RedissonMultiLock;
import org.redisson.RedissonRedLock;
import org.redisson.api.RLock;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;

/** A lock of Redisson over independent masters. */
public final class RedissonQuorumContestant implements Contestant {

    /** How many masters it needs. */
    public enum Mode {
        MAJORITY,
        ALL
    }

    private static final long RENEWED = -1;

    private final SentCommands sent = new SentCommands();
    private final List<RedissonClient> masters;
    private final Mode mode;
    private final long lease;
    private final long wait;

    /** @param renewed whether the watchdog renews it; otherwise it has a lease of its own length */
    public RedissonQuorumContestant(Terms terms, Mode mode, boolean renewed) {
        this.masters = terms.redis().each().stream()
                .map(master -> connect(terms, master))
                .toList();
        this.mode = mode;
        this.lease = renewed ? RENEWED : terms.lease().toMillis();
        this.wait = terms.patience().toMillis();
    }

    private RedissonClient connect(Terms terms, Address master) {
        Config config = master.redisson(terms.answer());
        config.setLockWatchdogTimeout(terms.lease().toMillis());
        config.setNettyHook(sent.forRedisson());
        return Redisson.create(config);
    }

    @Override
    public @Nullable Held acquire(String name) throws InterruptedException {
        RLock[] each = masters.stream().map(master -> master.getLock(name)).toArray(RLock[]::new);
        RLock together = together(each);
        return together.tryLock(wait, lease, TimeUnit.MILLISECONDS) ? new LockHeld(together, each, mode) : null;
    }

    /** Redisson calls its lock of most masters deprecated, and names nothing that would take its place on independent masters. */
    @SuppressWarnings("deprecation")
    private RLock together(RLock... locks) {
        return mode == Mode.ALL ? new RedissonMultiLock(locks) : new RedissonRedLock(locks);
    }

    @Override
    public SentCommands sent() {
        return sent;
    }

    @Override
    public void close() {
        masters.forEach(master -> master.shutdown(0, 2, TimeUnit.SECONDS));
    }

    private record LockHeld(RLock together, RLock[] each, Mode mode) implements Held {

        /** The lock of all has no answer of its own: so many masters are asked as it needs. */
        @Override
        public boolean isHeld() {
            int held = 0;
            for (RLock one : each) {
                try {
                    if (one.isHeldByCurrentThread()) {
                        held++;
                    }
                } catch (RuntimeException away) {
                    // Does not count.
                }
            }
            return held >= (mode == Mode.ALL ? each.length : each.length / 2 + 1);
        }

        @Override
        public boolean release() {
            together.unlock();
            return true;
        }
    }
}
