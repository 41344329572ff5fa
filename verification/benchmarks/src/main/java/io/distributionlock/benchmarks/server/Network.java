package io.distributionlock.benchmarks.server;

import io.distributionlock.benchmarks.workers.Fields;
import io.distributionlock.benchmarks.workers.WorkerProcess;
import io.distributionlock.testing.RespClient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.function.DoubleFunction;

/**
 * A network in front of a Redis: a {@link DelayingProxy} in a process of its own, so that it does not count as a client's. Its delay is
 * set so that a {@code PING} takes the round trip that is asked for, whatever the timers of this machine add.
 */
public final class Network implements AutoCloseable {

    private static final int PINGS = 200;

    /** A machine that becomes more or less busy meanwhile needs several; as many again may only lengthen what became too short. */
    private static final int MAX_CORRECTIONS = 12;

    private static final double NEAR_ENOUGH = 0.05;

    private final WorkerProcess proxy;
    private final int port;

    public Network(int redis) {
        this.proxy = new WorkerProcess(
                "the network",
                List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx256m",
                        "-cp",
                        System.getProperty("java.class.path"),
                        NetworkMain.class.getName(),
                        String.valueOf(redis)));
        proxy.awaitReady();
        proxy.open(NetworkMain.PROXY, Fields.none());
        this.port = (int) proxy.step(NetworkMain.PORT, Fields.none()).number(NetworkMain.PORT);
    }

    /** Where clients connect to. */
    public int port() {
        return port;
    }

    /**
     * Makes round trips last this long.
     *
     * @return how long they do last, in milliseconds
     */
    public RoundTrip roundTrip(double millis) {
        return set(millis, this::measured);
    }

    /**
     * Corrects the delay by what it makes of a round trip. What a busy machine adds is accepted in the end; a round trip that is too short
     * is not, for then the delay was last set while the machine was busier.
     *
     * @param measured sets the delay each way and measures
     */
    static RoundTrip set(double millis, DoubleFunction<RoundTrip> measured) {
        double eachWay = millis / 2;
        RoundTrip last = measured.apply(eachWay);
        for (int correction = 0; correction < 2 * MAX_CORRECTIONS; correction++) {
            double excess = last.median() - millis;
            double accepted = correction < MAX_CORRECTIONS ? NEAR_ENOUGH * millis : Double.MAX_VALUE;
            if (excess >= -NEAR_ENOUGH * millis && excess <= accepted) {
                return last;
            }
            eachWay = Math.max(0, eachWay - excess / 2);
            last = measured.apply(eachWay);
        }
        return last;
    }

    private RoundTrip measured(double eachWay) {
        proxy.step(NetworkMain.DELAY, Fields.none().with(NetworkMain.DELAY, Math.round(eachWay * 1e6)));
        return ping();
    }

    /** How long {@code PING} takes now. */
    public RoundTrip ping() {
        double[] millis = new double[PINGS];
        try (RespClient client = new RespClient(port)) {
            for (int i = 0; i < PINGS; i++) {
                long begin = System.nanoTime();
                client.command("PING");
                millis[i] = (System.nanoTime() - begin) / 1e6;
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Arrays.sort(millis);
        return new RoundTrip(millis[PINGS / 2], millis[PINGS / 100], millis[PINGS - 1 - PINGS / 100]);
    }

    /** In milliseconds: the median, and the 1st and 99th percentiles. */
    public record RoundTrip(double median, double least, double most) {}

    @Override
    public void close() {
        proxy.close();
    }
}
