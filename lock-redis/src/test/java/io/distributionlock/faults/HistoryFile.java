package io.distributionlock.faults;

import java.io.FileOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What the threads of one process saw, line by line. Each line is with the operating system before the next thing is done, so that
 * a killed process leaves all that it knew.
 */
final class HistoryFile {

    private static final String TURN = "turn ";
    private static final String ASKED = "asked ";
    private static final String ANSWERED = "answered ";

    private HistoryFile() {}

    /** Safe for use by many threads, and when they are interrupted. */
    static final class Writer {

        private final FileOutputStream file;

        Writer(Path path) throws IOException {
            this.file = new FileOutputStream(path.toFile());
        }

        /** The same turn can be written again when more of it was seen. */
        void turn(Turn turn) {
            write(TURN + turn.toLine());
        }

        void asked(String who, String key, long calledAt, long budgetNanos) {
            write(ASKED + who + " " + key + " " + calledAt + " " + budgetNanos);
        }

        /** A thread's last question was answered. */
        void answered(String who, long endedAt, String outcome) {
            write(ANSWERED + who + " " + endedAt + " " + outcome);
        }

        private synchronized void write(String line) {
            try {
                file.write((line + "\n").getBytes(StandardCharsets.UTF_8));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /** All that is in a file. */
    record History(List<Turn> turns, List<Attempt> attempts) {}

    /**
     * Reads what a process wrote that has ended by now.
     *
     * @param process the name to give it
     * @param endedAt when it ended; attempts without an answer ended with it
     */
    static History read(Path path, String process, long endedAt) throws IOException {
        Map<String, Turn> turns = new HashMap<>();
        Map<String, Attempt> asked = new HashMap<>();
        List<Attempt> attempts = new ArrayList<>();
        String all = Files.readString(path);
        // What stands behind the last line break was being written when the process was killed.
        for (String line : all.substring(0, all.lastIndexOf('\n') + 1).lines().toList()) {
            String[] words = line.split(" ");
            if (line.startsWith(TURN)) {
                Turn turn = Turn.parse(line.substring(TURN.length()));
                turns.put(turn.key() + " " + turn.calledAt() + " " + turn.who(), turn);
            } else if (line.startsWith(ASKED)) {
                asked.put(
                        words[1],
                        new Attempt(
                                process,
                                words[1],
                                words[2],
                                Long.parseLong(words[3]),
                                Long.parseLong(words[4]),
                                endedAt,
                                null));
            } else if (line.startsWith(ANSWERED)) {
                attempts.add(asked.remove(words[1]).answered(Long.parseLong(words[2]), words[3]));
            } else {
                throw new IllegalStateException("Not a line of a history: " + line);
            }
        }
        attempts.addAll(asked.values());
        return new History(List.copyOf(turns.values()), attempts);
    }
}
