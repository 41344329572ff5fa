package io.distributionlock.rack;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;

/** All that happened in one episode. */
final class History {

    /** What the driver did. */
    enum Kind {
        /** Redis forgot locks: what it forgot is not the library's loss. */
        LOSS,
        /** Redis served nobody. */
        OUTAGE,
        /** A process did not run, or Redis did not reach it. */
        STALL
    }

    /** @param process of a stall; otherwise -1 */
    record Window(Kind kind, int process, long from, long to) {

        boolean meets(long since, long until) {
            return from < until && since < to;
        }
    }

    private final List<Attempt> attempts = new ArrayList<>();
    private final Map<String, Attempt> underWay = new HashMap<>();
    private final List<Window> windows = new ArrayList<>();

    synchronized List<Attempt> attempts() {
        return List.copyOf(attempts);
    }

    /** Those that went in, in this order. */
    List<Attempt> sections() {
        return attempts().stream()
                .filter(Attempt::wasGranted)
                .sorted(Comparator.comparingLong(section -> section.entered))
                .toList();
    }

    synchronized List<Window> windows() {
        return List.copyOf(windows);
    }

    synchronized List<Window> windows(Kind kind) {
        return windows.stream().filter(window -> window.kind == kind).toList();
    }

    synchronized void add(Kind kind, int process, long from, long to) {
        windows.add(new Window(kind, process, from, to));
    }

    /** Whose section it is now. */
    synchronized OptionalInt holder() {
        return underWay.values().stream()
                .filter(attempt -> attempt.wasGranted() && attempt.endOfUse() == Long.MAX_VALUE)
                .mapToInt(attempt -> attempt.process)
                .findAny();
    }

    /** A process is killed: it says nothing more, and its leases end by themselves. */
    synchronized void died(int process, long at) {
        for (Attempt attempt : underWay.values()) {
            if (attempt.process == process && attempt.left == 0) {
                attempt.left = at;
                attempt.isDead = true;
            }
        }
        underWay.values().removeIf(attempt -> attempt.process == process);
    }

    /**
     * Takes down what a thread says.
     *
     * @param thread differs between all threads of all processes
     * @param at when the witness heard it
     * @param line {@code call}; {@code busy} or {@code failed <exception>}; {@code enter <asked> <until> <token>}, {@code held <asked> <until>},
     *     {@code lost}, {@code leave}; {@code released OK}. The times are the thread's: before it asked the library, and how long its lease
     *     lasts then
     */
    synchronized void note(int process, String thread, long at, String line) {
        String[] words = line.split(" ", -1);
        if (words[0].equals("call")) {
            Attempt attempt = new Attempt(process, thread, at);
            attempts.add(attempt);
            underWay.put(thread, attempt);
            return;
        }
        Attempt attempt = underWay.get(thread);
        if (attempt == null) {
            return;
        }
        switch (words[0]) {
            case "busy", "failed" -> {
                attempt.answered = at;
                attempt.failed = words[0].equals("failed");
            }
            case "enter" -> {
                attempt.answered = at;
                attempt.entered = Long.parseLong(words[1]);
                attempt.token = Long.parseLong(words[3]);
                told(attempt, words);
            }
            case "held" -> told(attempt, words);
            case "lost" -> attempt.toldLost = at;
            case "leave" -> attempt.left = at;
            case "released" -> {
                attempt.releaseAnswered = at;
                attempt.release = Attempt.Release.valueOf(words[1]);
            }
            default -> throw new IllegalArgumentException(line);
        }
    }

    private static void told(Attempt attempt, String[] words) {
        attempt.lastTold = Long.parseLong(words[1]);
        attempt.leaseUntil = Math.max(attempt.leaseUntil, Long.parseLong(words[2]));
    }
}
