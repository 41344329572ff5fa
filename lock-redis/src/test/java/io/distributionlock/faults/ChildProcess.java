package io.distributionlock.faults;

import io.distributionlock.testing.RedisProcess;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.File;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A second virtual machine that runs a program of the tests. It is told what to do by lines, and answers by lines.
 *
 * <p>The test that starts one closes it. A child never outlives its parent: it ends when its standard input ends.
 */
public final class ChildProcess implements AutoCloseable {

    private static final Set<Process> running = ConcurrentHashMap.newKeySet();

    static {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> running.forEach(Process::destroyForcibly)));
    }

    private final Process process;
    private final Path errors;
    private final BufferedWriter in;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition heard = lock.newCondition();
    private final Deque<String> lines = new ArrayDeque<>();

    private ChildProcess(Process process, Path errors) {
        this.process = process;
        this.errors = errors;
        this.in = new BufferedWriter(new OutputStreamWriter(process.getOutputStream(), StandardCharsets.UTF_8));
    }

    /** Starts the main method of a class on the class path of this virtual machine. */
    public static ChildProcess start(Class<?> program, String... arguments) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx128m",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                program.getName()));
        command.addAll(List.of(arguments));
        try {
            Path errors = Files.createTempFile("child-process", ".log");
            errors.toFile().deleteOnExit();
            Process process = new ProcessBuilder(command)
                    .redirectError(new File(errors.toString()))
                    .start();
            running.add(process);
            ChildProcess child = new ChildProcess(process, errors);
            Thread reader = new Thread(child::read, "child-process-reader");
            reader.setDaemon(true);
            reader.start();
            return child;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void read() {
        try (BufferedReader out = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = out.readLine(); line != null; line = out.readLine()) {
                lock.lock();
                try {
                    lines.add(line);
                    heard.signalAll();
                } finally {
                    lock.unlock();
                }
            }
        } catch (IOException e) {
            // It was killed; what it had said is there.
        }
    }

    /** Tells the child something. */
    public void send(String line) {
        try {
            in.write(line);
            in.newLine();
            in.flush();
        } catch (IOException e) {
            throw new UncheckedIOException("The child process has ended. It said: " + errorText(), e);
        }
    }

    /** Waits for a line that begins so; each line is given once. */
    public String await(String start, Duration longest) {
        long left = longest.toNanos();
        lock.lock();
        try {
            while (true) {
                String line = poll(start);
                if (line != null) {
                    return line;
                }
                if (left <= 0) {
                    throw new AssertionError("The child process did not say '" + start + "' within " + longest
                            + ". It said besides: " + lines + "; and in its log: " + errorText());
                }
                left = heard.awaitNanos(left);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("Interrupted while waiting for '" + start + "'", e);
        } finally {
            lock.unlock();
        }
    }

    /** The next line that begins so, if it has been said already; each line is given once. */
    public @Nullable String poll(String start) {
        lock.lock();
        try {
            for (Iterator<String> all = lines.iterator(); all.hasNext(); ) {
                String line = all.next();
                if (line.startsWith(start)) {
                    all.remove();
                    return line;
                }
            }
            return null;
        } finally {
            lock.unlock();
        }
    }

    private String errorText() {
        try {
            return Files.readString(errors);
        } catch (IOException e) {
            return e.toString();
        }
    }

    public boolean isAlive() {
        return process.isAlive();
    }

    /** Ends it as by kill -9: no code of it runs any more. */
    public void kill() {
        process.destroyForcibly();
        process.onExit().join();
        running.remove(process);
    }

    /** SIGSTOP: none of its threads runs until it is continued. */
    public void pause() {
        RedisProcess.signal("-STOP", process);
    }

    /** SIGCONT. */
    public void resume() {
        RedisProcess.signal("-CONT", process);
    }

    /** Waits until it has ended by itself. */
    public void awaitEnd(Duration longest) {
        try {
            if (!process.waitFor(longest.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new AssertionError("The child process did not end. It said: " + errorText());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
        running.remove(process);
    }

    /** Ends it however it is, stopped or dead; may be called again. */
    @Override
    public void close() {
        kill();
        try {
            in.close();
        } catch (IOException e) {
            // Nobody reads it any more.
        }
        try {
            Files.deleteIfExists(errors);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
