package io.distributionlock.fenced.cost;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Callers that add to rows as fast as they can.
 *
 * @param rows how many they choose among, at random
 */
record Load(int callers, int rows) {

    /**
     * What came of it.
     *
     * @param lost how many additions the rows lack
     */
    record Result(int sections, double seconds, long lost) {

        Result plus(Result other) {
            return new Result(sections + other.sections, seconds + other.seconds, lost + other.lost);
        }

        double perSecond() {
            return sections / seconds;
        }
    }

    /** @param instances take turns as the callers' */
    Result run(Servers servers, List<Instance> instances, Way way, Duration time) {
        servers.reset();
        ExecutorService threads = Executors.newFixedThreadPool(callers);
        try {
            long start = System.nanoTime();
            List<Future<Integer>> all = new ArrayList<>();
            for (int caller = 0; caller < callers; caller++) {
                Instance instance = instances.get(caller % instances.size());
                all.add(threads.submit(() -> call(instance, way, start + time.toNanos())));
            }
            int sections = 0;
            for (Future<Integer> caller : all) {
                sections += caller.get();
            }
            return new Result(sections, (System.nanoTime() - start) / 1e9, sections - servers.sum());
        } catch (ExecutionException e) {
            throw new IllegalStateException("A section failed", e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        } finally {
            threads.shutdownNow();
        }
    }

    private int call(Instance instance, Way way, long until) {
        int sections = 0;
        while (System.nanoTime() < until) {
            String row = Servers.row(1 + ThreadLocalRandom.current().nextInt(rows));
            instance.call(way, row, () -> {});
            sections++;
        }
        return sections;
    }
}
