package io.distributionlock.benchmarks.server;

import io.distributionlock.testing.RespClient;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A network in front of a Redis: a {@link DelayingProxy} in a process of its own, so that it does not count as a client's. Its delay is
 * set so that a {@code PING} takes the round trip that is asked for, whatever the timers of this machine add.
 */
public final class Network implements AutoCloseable {

    private static final int PINGS = 200;
    private static final int CORRECTIONS = 3;

    private final Process process;
    private final BufferedWriter delays;
    private final BufferedReader answers;
    private final int port;

    public Network(int redis) {
        List<String> command = List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-cp",
                System.getProperty("java.class.path"),
                NetworkMain.class.getName(),
                String.valueOf(redis));
        try {
            this.process = new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        this.delays = process.outputWriter(StandardCharsets.US_ASCII);
        this.answers = process.inputReader(StandardCharsets.US_ASCII);
        this.port = Integer.parseInt(answer());
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
        double eachWay = millis / 2;
        RoundTrip measured = measured(eachWay);
        for (int correction = 0; correction < CORRECTIONS; correction++) {
            eachWay = Math.max(0, eachWay - (measured.median() - millis) / 2);
            measured = measured(eachWay);
        }
        return measured;
    }

    private RoundTrip measured(double eachWay) {
        delay(Math.round(eachWay * 1e6));
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

    private void delay(long nanos) {
        try {
            delays.write(String.valueOf(nanos));
            delays.newLine();
            delays.flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        answer();
    }

    private String answer() {
        try {
            String line = answers.readLine();
            if (line == null) {
                throw new IllegalStateException("The proxy has ended");
            }
            return line;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        try {
            delays.close();
            if (!process.waitFor(5, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (IOException alreadyGone) {
            process.destroyForcibly();
        } catch (InterruptedException interrupted) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
