package io.distributionlock.fenced.cost;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * What 200 callers who wait for one row take from the others.
 *
 * @param connections in use, at most
 * @param othersGetOne whether another query got a connection meanwhile
 */
record Crowd(int pool, int connections, boolean othersGetOne) {

    static final int WAITING = 200;

    private static final Duration PATIENCE = Duration.ofSeconds(1);

    /** @param pool how many connections the instance has */
    static Crowd gather(Servers servers, Way way, int pool) {
        servers.reset();
        ExecutorService threads = Executors.newCachedThreadPool();
        try (Instance instance = servers.instance(pool)) {
            CountDownLatch begun = new CountDownLatch(1);
            CountDownLatch mayEnd = new CountDownLatch(1);
            List<Future<?>> callers = new ArrayList<>();
            callers.add(threads.submit(() -> instance.call(way, Servers.row(1), () -> {
                begun.countDown();
                awaitUninterrupted(mayEnd);
            })));
            awaitUninterrupted(begun);
            CountDownLatch calling = new CountDownLatch(WAITING);
            for (int caller = 0; caller < WAITING; caller++) {
                callers.add(threads.submit(() -> {
                    calling.countDown();
                    instance.call(way, Servers.row(1), () -> {});
                }));
            }
            awaitUninterrupted(calling);
            int most = watch(instance);
            boolean othersGetOne = isAnswered(threads.submit(instance::ask));
            mayEnd.countDown();
            for (Future<?> caller : callers) {
                caller.get();
            }
            if (servers.sum() != WAITING + 1) {
                throw new IllegalStateException("Updates were lost under " + way);
            }
            return new Crowd(pool, most, othersGetOne);
        } catch (ExecutionException e) {
            throw new IllegalStateException("A section failed", e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        } finally {
            threads.shutdownNow();
        }
    }

    /** The most connections in use at once, when it has not grown for a while. */
    private static int watch(Instance instance) throws InterruptedException {
        int most = 0;
        long grown = System.nanoTime();
        while (System.nanoTime() - grown < PATIENCE.toNanos()) {
            int now = instance.connectionsInUse();
            if (now > most) {
                most = now;
                grown = System.nanoTime();
            }
            TimeUnit.MILLISECONDS.sleep(2);
        }
        return most;
    }

    private static boolean isAnswered(Future<?> query) throws InterruptedException, ExecutionException {
        try {
            query.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
            return true;
        } catch (TimeoutException e) {
            return false;
        }
    }

    private static void awaitUninterrupted(CountDownLatch latch) {
        try {
            if (!latch.await(1, TimeUnit.MINUTES)) {
                throw new IllegalStateException("The callers do not come");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
