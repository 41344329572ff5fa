package io.distributionlock.rack;

import io.distributionlock.benchmarks.contestants.Contestant;
import io.distributionlock.benchmarks.contestants.SentCommands;
import io.distributionlock.benchmarks.contestants.Terms;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.recipes.locks.InterProcessMutex;
import org.apache.curator.framework.state.ConnectionState;
import org.apache.curator.retry.ExponentialBackoffRetry;
import org.jspecify.annotations.Nullable;

/**
 * Curator's lock on ZooKeeper. As its documentation asks for, it listens to the connection: who holds a lock when it is suspended or
 * lost does not count on it any more.
 */
final class CuratorContestant implements Contestant {

    private static final int FIRST_PAUSE = 100;
    private static final int RETRIES = 3;

    private final CuratorFramework client;
    private final Terms terms;

    /** How often the connection was suspended or lost. */
    private final AtomicLong breaks = new AtomicLong();

    CuratorContestant(Terms terms) {
        ZooKeeperServer.quiet();
        this.terms = terms;
        String servers =
                terms.redis().ports().stream().map(port -> "127.0.0.1:" + port).collect(Collectors.joining(","));
        this.client = CuratorFrameworkFactory.builder()
                .connectString(servers)
                .sessionTimeoutMs((int) terms.lease().toMillis())
                .connectionTimeoutMs((int) terms.answer().toMillis())
                .retryPolicy(new ExponentialBackoffRetry(FIRST_PAUSE, RETRIES))
                .build();
        client.getConnectionStateListenable().addListener((framework, state) -> {
            if (state == ConnectionState.SUSPENDED || state == ConnectionState.LOST) {
                breaks.incrementAndGet();
            }
        });
        client.start();
    }

    @Override
    public @Nullable Held acquire(String name) throws Exception {
        InterProcessMutex mutex = new InterProcessMutex(client, "/locks/" + name);
        long before = breaks.get();
        return mutex.acquire(terms.patience().toMillis(), TimeUnit.MILLISECONDS) ? new MutexHeld(mutex, before) : null;
    }

    @Override
    public SentCommands sent() {
        throw new UnsupportedOperationException("Here, commands are not counted");
    }

    @Override
    public void close() {
        client.close();
    }

    private final class MutexHeld implements Held {

        private final InterProcessMutex mutex;
        private final long breaksBefore;

        MutexHeld(InterProcessMutex mutex, long breaksBefore) {
            this.mutex = mutex;
            this.breaksBefore = breaksBefore;
        }

        @Override
        public boolean isHeld() {
            return breaks.get() == breaksBefore && mutex.isOwnedByCurrentThread();
        }

        @Override
        public boolean release() {
            boolean unbroken = isHeld();
            try {
                mutex.release();
            } catch (Exception failed) {
                throw new IllegalStateException(failed);
            }
            return unbroken;
        }
    }
}
