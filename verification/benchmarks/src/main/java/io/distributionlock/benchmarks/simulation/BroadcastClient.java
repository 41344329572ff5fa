package io.distributionlock.benchmarks.simulation;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;

/**
 * A release wakes one thread of each waiting process, and all of them try again at once. In a process, the threads that wait for one
 * name share one subscription and one semaphore: a message adds one permit, and the thread that gets it tries again.
 */
final class BroadcastClient implements LockClient {

    private final World world;
    private final Host host;
    private final String instance;
    private final TokenServers.Link link;
    private final Map<String, Latch> latches = new HashMap<>();

    BroadcastClient(World world, TokenServers servers, Host host, String instance) {
        this.world = world;
        this.host = host;
        this.instance = instance;
        this.link = servers.connect(host, this::released);
    }

    /** What the waiting threads of one process share for one name. */
    private static final class Latch {
        private final Deque<Runnable> sleeping = new ArrayDeque<>();
        private final Deque<Runnable> awaitingSubscription = new ArrayDeque<>();
        private int users;
        private int permits;
        private boolean subscribed;
    }

    @Override
    public void lock(String name, int thread, Runnable entered) {
        link.tryLock(name, owner(thread), got -> {
            if (got) {
                wake(entered);
            } else {
                waitFor(name, thread, entered);
            }
        });
    }

    private void waitFor(String name, int thread, Runnable entered) {
        Latch latch = latches.computeIfAbsent(name, unused -> new Latch());
        latch.users++;
        Runnable again = () -> tryAgain(name, thread, latch, entered);
        if (latch.subscribed) {
            again.run();
            return;
        }
        latch.awaitingSubscription.add(again);
        if (latch.awaitingSubscription.size() == 1) {
            link.subscribe(name, () -> {
                latch.subscribed = true;
                for (Runnable each = latch.awaitingSubscription.poll();
                        each != null;
                        each = latch.awaitingSubscription.poll()) {
                    wake(each);
                }
            });
        }
    }

    private void tryAgain(String name, int thread, Latch latch, Runnable entered) {
        link.tryLock(name, owner(thread), got -> {
            if (got) {
                leaveLatch(name, latch);
                wake(entered);
                return;
            }
            Runnable again = () -> tryAgain(name, thread, latch, entered);
            if (latch.permits > 0) {
                latch.permits--;
                wake(again);
            } else {
                latch.sleeping.add(again);
            }
        });
    }

    private void leaveLatch(String name, Latch latch) {
        latch.users--;
        if (latch.users == 0) {
            latches.remove(name);
            link.unsubscribe(name);
        }
    }

    private void released(String name) {
        Latch latch = latches.get(name);
        if (latch == null) {
            return;
        }
        Runnable first = latch.sleeping.poll();
        if (first == null) {
            latch.permits++;
        } else {
            wake(first);
        }
    }

    @Override
    public void unlock(String name, int thread, Runnable left) {
        link.unlock(name, owner(thread), true, () -> wake(left));
    }

    private String owner(int thread) {
        return instance + ":" + thread;
    }

    private void wake(Runnable thread) {
        host.work(Costs.nanos(world.costs.wake()), thread);
    }
}
