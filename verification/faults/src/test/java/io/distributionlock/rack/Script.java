package io.distributionlock.rack;

import io.distributionlock.rack.History.Kind;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;

/**
 * A history told as text: {@code <ms> <process> <what is said>; …}. Times are milliseconds, leases last for 3 s, and each process has one
 * thread, or several if it is written {@code 1b}.
 */
final class Script {

    private Script() {}

    /** "enter" and "held" are followed by until when the lease lasts, and the token. */
    static void play(History history, String script) {
        for (String line : script.split("; ")) {
            String[] words = line.split(" ");
            long at = nanos(words[0]);
            String said = switch (words[2]) {
                case "enter" -> "enter " + at + " " + nanos(words[3]) + " " + (words.length > 4 ? words[4] : 0);
                case "held" -> "held " + at + " " + nanos(words[3]);
                default -> String.join(" ", Arrays.copyOfRange(words, 2, words.length));
            };
            int process = Integer.parseInt(words[1].replaceAll("[a-z]", ""));
            history.note(process, "thread-" + words[1], at, said);
        }
    }

    static void during(History history, Kind kind, int process, int from, int to) {
        history.add(kind, process, TimeUnit.MILLISECONDS.toNanos(from), TimeUnit.MILLISECONDS.toNanos(to));
    }

    static long nanos(String millis) {
        return TimeUnit.MILLISECONDS.toNanos(Long.parseLong(millis));
    }
}
