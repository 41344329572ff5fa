package io.distributionlock.benchmarks.workers;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** The coordinator's side of a worker: a separate process that handles one request after another. */
public final class WorkerProcess implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofMinutes(3);
    private static final Duration FAREWELL = Duration.ofSeconds(5);

    private final String name;
    private final Process process;
    private final BufferedWriter requests;
    private final BufferedReader answers;
    private final String log;

    /**
     * Starts a worker and does not wait for it.
     *
     * @param log where its standard error goes
     */
    public WorkerProcess(String name, List<String> command, Path log) {
        this(name, command, ProcessBuilder.Redirect.appendTo(log.toFile()), log.toString());
    }

    /** Starts a worker whose standard error is that of this process, and does not wait for it. */
    public WorkerProcess(String name, List<String> command) {
        this(name, command, ProcessBuilder.Redirect.INHERIT, "what was printed before");
    }

    private WorkerProcess(String name, List<String> command, ProcessBuilder.Redirect errors, String log) {
        this.name = name;
        this.log = log;
        try {
            this.process = new ProcessBuilder(command).redirectError(errors).start();
        } catch (IOException failed) {
            throw new UncheckedIOException("The worker of " + name + " cannot be started", failed);
        }
        this.requests = process.outputWriter(StandardCharsets.UTF_8);
        this.answers = process.inputReader(StandardCharsets.UTF_8);
    }

    public void awaitReady() {
        String line = nextLine();
        if (!line.equals(WorkerLoop.READY)) {
            throw broken("began with '" + line + "'");
        }
    }

    /** Begins a job. */
    public void open(String kind, Fields fields) {
        ask(WorkerLoop.OPEN + " " + kind + " " + fields);
        answer();
    }

    /** Asks for a step, to be followed by {@link #answer()}; so several workers work at once. */
    public void begin(String step, Fields fields) {
        ask(WorkerLoop.STEP + " " + step + " " + fields);
    }

    /** Asks for a step and waits for its end. */
    public Fields step(String step, Fields fields) {
        begin(step, fields);
        return answer();
    }

    /** Waits for the end of what was asked for. */
    public Fields answer() {
        String line = nextLine();
        if (!line.startsWith(WorkerLoop.OK)) {
            throw broken("answered '" + line + "'");
        }
        return Fields.parse(line.substring(WorkerLoop.OK.length()));
    }

    private void ask(String line) {
        try {
            requests.write(line);
            requests.newLine();
            requests.flush();
        } catch (IOException failed) {
            throw broken("accepts no input: " + failed.getMessage());
        }
    }

    private String nextLine() {
        CompletableFuture<String> line = CompletableFuture.supplyAsync(this::readLine);
        try {
            return line.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        } catch (TimeoutException late) {
            throw broken("did not answer within " + PATIENCE.toSeconds() + " s");
        } catch (ExecutionException failed) {
            throw broken("gives no readable output: " + failed.getCause());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw broken("had not answered when the wait was interrupted");
        }
    }

    private String readLine() {
        try {
            String line = answers.readLine();
            return line == null ? "" : line;
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    private IllegalStateException broken(String what) {
        return new IllegalStateException("The worker of " + name + " " + what + "; see " + log);
    }

    /** Lets the worker end by itself, which it does when nobody asks any more, and ends it if it does not. */
    @Override
    public void close() {
        try {
            requests.close();
            if (!process.waitFor(FAREWELL.toSeconds(), TimeUnit.SECONDS)) {
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
