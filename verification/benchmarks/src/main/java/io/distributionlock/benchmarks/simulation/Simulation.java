package io.distributionlock.benchmarks.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;

/** One run of one design. The same seed gives the same run. */
final class Simulation {

    /**
     * What came of it.
     *
     * @param sectionsPerSecond of all threads
     * @param commandsPerSecond at all servers
     * @param busiest the share of the measured time in which the busiest server was busy, from 0 to 1
     * @param p50Micros half of the waits were no longer than that, from asking to running
     */
    record Outcome(
            double sectionsPerSecond,
            double commandsPerSecond,
            double busiest,
            double p50Micros,
            double p99Micros,
            double maxMicros) {

        double commandsPerSection() {
            return commandsPerSecond / sectionsPerSecond;
        }
    }

    private final Setting setting;
    private final World world;
    private final Meter meter = new Meter();
    private final List<SimulatedThread> threads = new ArrayList<>();

    private Simulation(Design design, Setting setting, Costs costs, long seed) {
        this.setting = setting;
        this.world = new World(seed, setting.roundTrip(), costs);
        Host shared = new Host(world.events, setting.cores());
        for (int i = 0; i < setting.servers(); i++) {
            world.add(new Server(setting.oneMachine() ? shared : new Host(world.events, 1)));
        }
        IntFunction<LockClient> clients = design.clients(
                world,
                number -> setting.oneMachine() ? shared : new Host(world.events, setting.cores()),
                setting.threads());
        for (int process = 0; process < setting.processes(); process++) {
            LockClient client = clients.apply(process);
            for (int i = 0; i < setting.threads(); i++) {
                threads.add(new SimulatedThread(world, setting, client, process, i, meter));
            }
        }
    }

    static Outcome run(Design design, Setting setting, Costs costs, long seed) {
        return new Simulation(design, setting, costs, seed).run();
    }

    private Outcome run() {
        threads.forEach(SimulatedThread::start);
        world.events.runUntil(setting.warmUp().toNanos());
        meter.begin();
        long commandsBefore = world.total(Server::commands);
        List<Long> busyBefore = world.servers().stream().map(Server::busyNanos).toList();
        world.events.runUntil(setting.warmUp().plus(setting.measured()).toNanos());
        threads.forEach(SimulatedThread::end);
        double seconds = setting.measured().toNanos() / 1e9;
        long busiest = 0;
        for (int i = 0; i < setting.servers(); i++) {
            busiest = Math.max(busiest, world.servers().get(i).busyNanos() - busyBefore.get(i));
        }
        return new Outcome(
                meter.sections() / seconds,
                (world.total(Server::commands) - commandsBefore) / seconds,
                busiest / 1e9 / seconds,
                meter.waits().getValueAtPercentile(50) / 1e3,
                meter.waits().getValueAtPercentile(99) / 1e3,
                meter.waits().getMaxValue() / 1e3);
    }
}
