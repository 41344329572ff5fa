package io.distributionlock.benchmarks.simulation;

/** A thread that takes a lock, works, gives it back, and so on until the end. */
final class SimulatedThread {

    private static final long NOT_WAITING = -1;

    private final World world;
    private final Setting setting;
    private final LockClient client;
    private final int process;
    private final int number;
    private final Meter meter;
    private long waitingSince = NOT_WAITING;

    SimulatedThread(World world, Setting setting, LockClient client, int process, int number, Meter meter) {
        this.world = world;
        this.setting = setting;
        this.client = client;
        this.process = process;
        this.number = number;
        this.meter = meter;
    }

    /** Threads that make pauses begin with one, as if they had always been there; the others come one after another. */
    void start() {
        long first = setting.pause().isZero()
                ? (long) (world.random.nextDouble() * setting.warmUp().toNanos() / 2)
                : pauseNanos();
        world.events.at(first, this::ask);
    }

    private void ask() {
        String name = "n" + (setting.names() == 1 ? 0 : world.random.nextInt(setting.names()));
        long asked = world.events.now();
        waitingSince = asked;
        client.lock(name, number, () -> {
            waitingSince = NOT_WAITING;
            meter.entered(name, this, world.events.now() - asked);
            world.events.after(setting.section().toNanos(), () -> leave(name));
        });
    }

    private void leave(String name) {
        meter.left(name, this);
        client.unlock(name, number, () -> world.events.after(pauseNanos(), this::ask));
    }

    private long pauseNanos() {
        return setting.pause().isZero()
                ? 0
                : Math.round(-Math.log(1 - world.random.nextDouble())
                        * setting.pause().toNanos());
    }

    void end() {
        if (waitingSince != NOT_WAITING) {
            meter.stillWaits(world.events.now() - waitingSince);
        }
    }

    @Override
    public String toString() {
        return "p" + process + ":" + number;
    }
}
