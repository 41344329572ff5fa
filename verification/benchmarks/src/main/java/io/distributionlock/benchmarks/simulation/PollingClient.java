package io.distributionlock.benchmarks.simulation;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;

/**
 * Tries again after a pause. One thread of each process tries while the others queue in the process, first come, first served;
 * each thread makes its own attempt.
 */
final class PollingClient implements LockClient {

    static final Duration PAUSE = Duration.ofMillis(100);

    private final World world;
    private final Host host;
    private final String instance;
    private final TokenServers.Link link;
    private final Map<String, Deque<Runnable>> turns = new HashMap<>();

    PollingClient(World world, TokenServers servers, Host host, String instance) {
        this.world = world;
        this.host = host;
        this.instance = instance;
        this.link = servers.connect(host, unused -> {});
    }

    @Override
    public void lock(String name, int thread, Runnable entered) {
        Deque<Runnable> turn = turns.computeIfAbsent(name, unused -> new ArrayDeque<>(2));
        turn.add(() -> tryLock(name, thread, entered));
        if (turn.size() == 1) {
            turn.element().run();
        }
    }

    private void tryLock(String name, int thread, Runnable entered) {
        link.tryLock(name, owner(thread), got -> {
            if (got) {
                wake(entered);
            } else {
                world.events.after(PAUSE.toNanos(), () -> wake(() -> tryLock(name, thread, entered)));
            }
        });
    }

    @Override
    public void unlock(String name, int thread, Runnable left) {
        link.unlock(
                name,
                owner(thread),
                false,
                () -> wake(() -> {
                    Deque<Runnable> turn = turns.get(name);
                    if (turn != null) {
                        turn.remove();
                        Runnable next = turn.peek();
                        if (next == null) {
                            turns.remove(name);
                        } else {
                            wake(next);
                        }
                    }
                    left.run();
                }));
    }

    private String owner(int thread) {
        return instance + ":" + thread;
    }

    private void wake(Runnable thread) {
        host.work(Costs.nanos(world.costs.wake()), thread);
    }
}
