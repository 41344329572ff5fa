package io.distributionlock.benchmarks.contestants;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.redisson.Redisson;
import org.redisson.api.RLock;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;

/** A lock of Redisson over independent masters, with a lease of its own length: of most of them, or of all. */
final class RedissonQuorumContestant implements Contestant {

    private final SentCommands sent = new SentCommands();
    private final List<RedissonClient> masters;
    private final Function<RLock[], RLock> together;
    private final long lease;
    private final long wait;

    RedissonQuorumContestant(Terms terms, Function<RLock[], RLock> together) {
        this.masters = terms.redis().each().stream()
                .map(master -> connect(terms, master))
                .toList();
        this.together = together;
        this.lease = terms.lease().toMillis();
        this.wait = terms.patience().toMillis();
    }

    private RedissonClient connect(Terms terms, Address master) {
        Config config = master.redisson(terms.answer());
        config.setNettyHook(sent.forRedisson());
        return Redisson.create(config);
    }

    @Override
    public @Nullable Held acquire(String name) throws InterruptedException {
        RLock lock = together.apply(
                masters.stream().map(master -> master.getLock(name)).toArray(RLock[]::new));
        return lock.tryLock(wait, lease, TimeUnit.MILLISECONDS) ? () -> released(lock) : null;
    }

    private static boolean released(RLock lock) {
        lock.unlock();
        return true;
    }

    @Override
    public SentCommands sent() {
        return sent;
    }

    @Override
    public void close() {
        masters.forEach(master -> master.shutdown(0, 2, TimeUnit.SECONDS));
    }
}
