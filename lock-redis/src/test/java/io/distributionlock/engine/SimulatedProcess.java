package io.distributionlock.engine;

import io.distributionlock.backend.EngineSettings;
import io.distributionlock.state.Times;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;

/** An engine without a thread, its link to the server, and the threads that use it. */
final class SimulatedProcess {

    /** More ticks than this without any time passing are a hot spin. */
    private static final int MAX_TICKS_AT_ONCE = 20;

    final String instance;
    final SimulatedLink link;
    final LockEngine engine;
    final long longestAnswer;
    final List<SimulatedThread> threads = new ArrayList<>();

    private final LongSupplier clock;
    private final long origin;
    private long pausedUntil;
    private long lastTick = -1;
    private int ticksAtOnce;

    SimulatedProcess(EngineSettings settings, SimulatedLink link, LongSupplier clock, int threadCount) {
        this.instance = settings.instance();
        this.link = link;
        this.clock = clock;
        this.longestAnswer = settings.commandTimeoutNanos();
        this.origin = clock.getAsLong();
        this.engine = new LockEngine(link, settings, clock, Runnable::run);
        for (int i = 0; i < threadCount; i++) {
            threads.add(new SimulatedThread(this, "t" + i));
        }
    }

    void pauseUntil(long moment) {
        pausedUntil = moment;
    }

    boolean isPaused() {
        return clock.getAsLong() < pausedUntil;
    }

    /** When something happens here by itself: the end of a pause, a tick, an answer that has arrived. */
    long due() {
        if (isPaused()) {
            return pausedUntil;
        }
        return Math.min(link.clientDue(), tickDue());
    }

    private long tickDue() {
        return Times.after(origin, engine.due());
    }

    String doWhatIsDue() {
        long now = clock.getAsLong();
        if (tickDue() <= now) {
            tick(now);
            return instance + " ticks";
        }
        if (link.clientDue() <= now) {
            return instance + " receives: " + link.deliverDue();
        }
        return instance + " goes on after a pause";
    }

    private void tick(long now) {
        ticksAtOnce = now == lastTick ? ticksAtOnce + 1 : 0;
        lastTick = now;
        if (ticksAtOnce > MAX_TICKS_AT_ONCE) {
            throw new AssertionError(instance + " ticks again and again without time passing: a hot spin");
        }
        engine.tick();
    }

    boolean isQuiet() {
        return engine.activeNames() == 0 && engine.due() == Times.NEVER;
    }
}
