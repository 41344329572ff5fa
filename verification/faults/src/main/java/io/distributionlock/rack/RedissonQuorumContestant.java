package io.distributionlock.rack;

import io.distributionlock.benchmarks.contestants.Contestant;
import io.distributionlock.benchmarks.contestants.SentCommands;
import io.distributionlock.benchmarks.contestants.Terms;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.redisson.Redisson;
import org.redisson.RedissonMultiLock;
import org.redisson.RedissonRedLock;
import org.redisson.api.RLock;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;

/** Redisson's lock over several independent masters: of most of them, or of all. The watchdog renews it. */
final class RedissonQuorumContestant implements Contestant {

    private static final long RENEWED = -1;

    private final List<RedissonClient> clients;
    private final boolean all;
    private final long wait;

    RedissonQuorumContestant(Terms terms, boolean all) {
        this.clients =
                terms.redis().ports().stream().map(port -> client(terms, port)).toList();
        this.all = all;
        this.wait = terms.patience().toMillis();
    }

    private static RedissonClient client(Terms terms, int port) {
        Config config = new Config();
        config.setLockWatchdogTimeout(terms.lease().toMillis());
        config.useSingleServer().setAddress("redis://127.0.0.1:" + port);
        return Redisson.create(config);
    }

    /** Redisson calls its lock of most masters deprecated, and names nothing that would take its place on independent masters. */
    @SuppressWarnings("deprecation")
    private RedissonMultiLock together(RLock... locks) {
        return all ? new RedissonMultiLock(locks) : new RedissonRedLock(locks);
    }

    @Override
    public @Nullable Held acquire(String name) throws InterruptedException {
        RLock[] each = clients.stream().map(client -> client.getLock(name)).toArray(RLock[]::new);
        RedissonMultiLock lock = together(each);
        return lock.tryLock(wait, RENEWED, TimeUnit.MILLISECONDS) ? new LockHeld(lock, each, all) : null;
    }

    @Override
    public SentCommands sent() {
        throw new UnsupportedOperationException("Here, commands are not counted");
    }

    @Override
    public void close() {
        clients.forEach(client -> client.shutdown(0, 2, TimeUnit.SECONDS));
    }

    private record LockHeld(RedissonMultiLock lock, RLock[] each, boolean all) implements Held {

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
            return held >= (all ? each.length : each.length / 2 + 1);
        }

        @Override
        public boolean release() {
            boolean held = isHeld();
            lock.unlock();
            return held;
        }
    }
}
