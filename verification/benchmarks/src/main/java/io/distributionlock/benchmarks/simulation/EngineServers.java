package io.distributionlock.benchmarks.simulation;

import io.distributionlock.model.ModelBackend;
import java.util.ArrayList;
import java.util.List;

/**
 * What the servers keep for the library: on each of them the backend in memory, whose rules are those of the scripts, step for
 * step.
 */
final class EngineServers {

    private static final long START_MICROS = 1_800_000_000_000_000L;

    private final List<ModelBackend> backends = new ArrayList<>();

    EngineServers(World world) {
        for (Server unused : world.servers()) {
            backends.add(new ModelBackend(world.events::now, START_MICROS, Runnable::run));
        }
    }

    ModelBackend backend(int place) {
        return backends.get(place);
    }

    int count() {
        return backends.size();
    }
}
