package io.distributionlock.rack;

import io.distributionlock.benchmarks.contestants.Address;
import io.distributionlock.benchmarks.contestants.Contestant;
import io.distributionlock.benchmarks.contestants.Contestant.Held;
import io.distributionlock.faults.ParentLink;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The program of each process. Arguments: port of the witness, number of the process. It is told {@code open <library>@<address>},
 * {@code run <name> <seed>}, {@code until <time>}, which says when the run ends, and {@code close}.
 */
final class Worker {

    static final int THREADS = 2;

    /** How long after the end a caller may wait for its answer, and its release, until it counts as stuck. */
    static final Duration PATIENCE = Library.WAIT.plus(Library.ANSWER).plusSeconds(6);

    private static final Duration WARM_UP = Duration.ofSeconds(60);

    private static final Duration FAREWELL = Duration.ofSeconds(2);

    /** Those that a virtual machine keeps, whoever needed them first. */
    private static final Pattern KEPT = Pattern.compile(
            "globalEventExecutor.*|ForkJoinPool.*|process reaper.*|CompletableFutureDelay.*|Common-Cleaner|.*-evictor.*"
                    + "|ObjectCleanerThread|Keep-Alive-Timer|parallel-\\d+");

    private final ParentLink parent = new ParentLink();
    private final int witness;
    private final int process;
    private @Nullable Contestant contestant;
    private @Nullable Library library;
    private Set<Thread> before = Set.of();
    private volatile long until;

    private Worker(int witness, int process) {
        this.witness = witness;
        this.process = process;
    }

    public static void main(String[] arguments) {
        Worker worker = new Worker(Integer.parseInt(arguments[0]), Integer.parseInt(arguments[1]));
        worker.parent.listen(worker::obey);
    }

    private void obey(String line) {
        try {
            String[] words = line.split(" ", 2);
            switch (words[0]) {
                case "open" -> open(words[1].split("@", 2));
                case "run" -> start(words[1].split(" ", -1));
                case "until" -> until = Long.parseLong(words[1]);
                default -> close();
            }
        } catch (Exception failed) {
            failed.printStackTrace();
            parent.say("done failed " + failed.toString().replaceAll("\\s+", " "));
        }
    }

    private void open(String[] what) throws Exception {
        before = Thread.getAllStackTraces().keySet();
        library = Rack.named(Library.values(), what[0]).get(0);
        contestant = library.connect(Address.parse(what[1]));
        // So that connections are made and scripts known before anything happens. On a busy machine that takes a while.
        long end = System.nanoTime() + WARM_UP.toNanos();
        while (!isWarm(contestant, end)) {
            Scene.rest(100);
        }
        parent.say("done");
    }

    private boolean isWarm(Contestant warming, long end) throws Exception {
        try {
            Held lock = warming.acquire(
                    "warm-up-" + process + "-" + ProcessHandle.current().pid());
            if (lock != null) {
                lock.release();
            }
            return lock != null;
        } catch (Exception failed) {
            if (System.nanoTime() > end) {
                throw failed;
            }
            return false;
        }
    }

    private void start(String[] what) {
        until = Long.MAX_VALUE;
        List<Caller> callers = new ArrayList<>();
        for (int thread = 0; thread < THREADS; thread++) {
            callers.add(new Caller(what[0], new Random(Long.parseLong(what[1]) + thread), thread));
        }
        callers.forEach(Thread::start);
        new Thread(() -> awaitEnd(callers), "end-of-run").start();
    }

    private void awaitEnd(List<Caller> callers) {
        int stuck = 0;
        for (Caller caller : callers) {
            while (caller.isAlive() && System.nanoTime() - PATIENCE.toNanos() < until) {
                Scene.rest(20);
            }
            if (caller.isAlive()) {
                stuck++;
            }
        }
        parent.say("done " + stuck);
    }

    private void close() throws InterruptedException {
        Objects.requireNonNull(contestant).close();
        long end = System.nanoTime() + FAREWELL.toNanos();
        while (!left().isEmpty() && System.nanoTime() < end) {
            TimeUnit.MILLISECONDS.sleep(50);
        }
        Set<String> left = left();
        parent.say("done " + left.size() + " " + String.join(",", left).replaceAll("\\s+", "-"));
    }

    private Set<String> left() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> !before.contains(thread)
                        && !KEPT.matcher(thread.getName()).matches())
                .map(thread -> thread.getName() + "#" + thread.getId())
                .collect(Collectors.toSet());
    }

    /** Takes the lock again and again; its choices depend on its seed alone. */
    private final class Caller extends Thread {

        private final String name;
        private final Random random;
        private final int number;

        Caller(String name, Random random, int number) {
            super("caller-" + number);
            setDaemon(true);
            this.name = name;
            this.random = random;
            this.number = number;
        }

        @Override
        public void run() {
            String me = process + " " + ProcessHandle.current().pid() + "-" + number;
            try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), witness)) {
                socket.setTcpNoDelay(true);
                Statement statement = new Statement(socket.getInputStream(), socket.getOutputStream());
                statement.begin(me);
                while (System.nanoTime() < until) {
                    attempt(statement);
                    Scene.rest(Objects.requireNonNull(library).waitsForNothing() ? 60 : random.nextInt(30));
                }
            } catch (IOException driverGone) {
                // Nobody wants to know any more.
            }
        }

        private void attempt(Statement statement) throws IOException {
            statement.say("call");
            try {
                Held lock = Objects.requireNonNull(contestant).acquire(name);
                if (lock == null) {
                    statement.say("busy");
                } else {
                    hold(lock, statement);
                }
            } catch (IOException driverGone) {
                throw driverGone;
            } catch (Exception failed) {
                System.err.println(name + ": " + failed);
                statement.say("failed " + failed.getClass().getSimpleName());
                Scene.rest(50);
            }
        }

        private void hold(Held lock, Statement statement) throws IOException {
            long asked = System.nanoTime();
            boolean held = isHeld(lock);
            long token = held ? lock.token() : 0;
            if (!held) {
                statement.say("busy");
                release(lock);
                return;
            }
            statement.say("enter " + asked + " " + leaseUntil(lock, asked) + " " + token);
            long end = asked + TimeUnit.MILLISECONDS.toNanos(sectionMillis());
            while (held && System.nanoTime() < end) {
                Scene.rest(15 + random.nextInt(30));
                asked = System.nanoTime();
                held = isHeld(lock);
                statement.say(
                        held ? "held " + asked + " " + (lock.knowsItsLease() ? leaseUntil(lock, asked) : 0) : "lost");
            }
            statement.say("leave");
            statement.say("released " + release(lock));
        }

        /** Mostly short, some with a third of a lease, and a few longer than a lease, where that is allowed. */
        private int sectionMillis() {
            int kind = random.nextInt(50);
            if (kind == 0 && Objects.requireNonNull(library).renewed) {
                return (int) (Library.LEASE.toMillis() * 1.2);
            }
            return kind < 15 ? 300 + random.nextInt(800) : 10 + random.nextInt(100);
        }

        private static boolean isHeld(Held lock) {
            try {
                return lock.isHeld();
            } catch (RuntimeException unknown) {
                // Who cannot learn it must not go on.
                return false;
            }
        }

        private static long leaseUntil(Held lock, long asked) {
            try {
                long left = lock.leaseLeft();
                return left == 0 ? 0 : asked + TimeUnit.MILLISECONDS.toNanos(left);
            } catch (RuntimeException unknown) {
                return 0;
            }
        }

        private Attempt.Release release(Held lock) {
            try {
                return lock.release() ? Attempt.Release.OK : Attempt.Release.LOST;
            } catch (RuntimeException failed) {
                System.err.println(name + ": release: " + failed);
                return Attempt.Release.FAILED;
            }
        }
    }

    /** What a thread says to the witness, who answers each line. */
    private record Statement(InputStream answers, OutputStream lines) {

        void begin(String who) throws IOException {
            lines.write((who + "\n").getBytes(StandardCharsets.US_ASCII));
        }

        void say(String line) throws IOException {
            lines.write((line + "\n").getBytes(StandardCharsets.US_ASCII));
            if (answers.read() < 0) {
                throw new IOException("The witness has gone");
            }
        }
    }
}
