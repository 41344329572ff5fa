package io.distributionlock.redis;

import io.distributionlock.backend.AcquireReply;
import io.distributionlock.backend.ReleaseReply;
import io.distributionlock.backend.RenewReply;
import io.distributionlock.internal.ClaimIds;
import io.distributionlock.monitor.LockInspection;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * What a drive saw of the scripts, in the words of verification/specification/LockTrace.tla and one TLA+ record a line. The module
 * verification/specification compares it with the specification.
 */
final class ScriptTrace {

    /** @param minHold whether it was released, and its minimum hold time continues */
    record Claim(String text, boolean minHold) {

        Claim(String text) {
            this(text, false);
        }

        private String kind() {
            int permits = ClaimIds.permitsOf(text);
            if (permits > 0) {
                return permits == 1 ? "1 permit" : permits + " permits";
            }
            return ClaimIds.isReader(text) ? "read" : "exclusive";
        }

        private List<Object> parts() {
            return minHold
                    ? List.of("minimum hold", new Claim(text), kind())
                    : List.of(ClaimIds.instanceOf(text), text, kind());
        }

        @Override
        public String toString() {
            return text;
        }
    }

    private final List<String> lines = new ArrayList<>();

    /** The claims that were told of a grant in this run, and the last number, by the last command. */
    private final List<String> toldBefore = new ArrayList<>();

    private long lastNumber;

    /** @param how says how to repeat it */
    void beginRun(String how) {
        lines.add("run " + how);
        toldBefore.clear();
        lastNumber = 0;
    }

    /** @param details names and values */
    static Map<String, Object> command(String verb, Object... details) {
        Map<String, Object> command = new LinkedHashMap<>();
        command.put("verb", verb);
        for (int i = 0; i < details.length; i += 2) {
            command.put(details[i].toString(), details[i + 1]);
        }
        return command;
    }

    void add(Map<String, Object> step) {
        lines.add(text(step));
    }

    /**
     * @param granted all claims that were told of a grant in this run
     * @param waiting the claims of living processes that are queued now
     * @param keyLeft for how many ms the owner key still lives
     */
    void add(
            Map<String, Object> command,
            Object reply,
            List<String> granted,
            LockInspection after,
            List<String> waiting,
            long keyLeft) {
        List<String> told = new ArrayList<>(granted);
        toldBefore.forEach(told::remove);
        toldBefore.addAll(told);
        command.put("reply", word(reply));
        command.put("told", told.stream().map(Claim::new).collect(Collectors.toSet()));
        command.put("drew", after.lastFence() > lastNumber);
        lastNumber = after.lastFence();
        command.put("owner", holders(after, inside -> !inside.reads() && inside.permits() == 0));
        command.put("readers", holders(after, inside -> inside.reads() || inside.permits() > 0));
        command.put("key", keyLeft);
        command.put("queue", waiting.stream().map(Claim::new).toList());
        add(command);
    }

    private static Set<Map<String, ?>> holders(LockInspection shown, Predicate<LockInspection.Inside> which) {
        return shown.inside().stream()
                .filter(which)
                .<Map<String, ?>>map(inside -> Map.of(
                        "id",
                        new Claim(inside.claim(), inside.minHold()),
                        "left",
                        inside.leaseLeft().toMillis()))
                .collect(Collectors.toSet());
    }

    void write(Path file) {
        try {
            Files.createDirectories(file.toAbsolutePath().getParent());
            Files.write(file, lines);
        } catch (IOException e) {
            throw new UncheckedIOException("The trace cannot be written", e);
        }
    }

    /** The specification's word for an answer. */
    private static Object word(Object reply) {
        if (reply instanceof List<?> replies) {
            return replies.stream().map(ScriptTrace::word).toList();
        }
        if (reply instanceof AcquireReply.Ok ok) {
            return ok.fence() == 0 ? "no number" : ok.still() ? "still" : "ok";
        }
        if (reply instanceof AcquireReply other) {
            return other.getClass().getSimpleName().toLowerCase();
        }
        if (reply instanceof ReleaseReply release) {
            return release == ReleaseReply.RELEASED ? "released" : "not mine";
        }
        if (reply instanceof RenewReply renewal) {
            return renewal.held() ? "ok" : "not mine";
        }
        if (reply instanceof Boolean released) {
            return released ? "released" : "nobody";
        }
        return (Long) reply == 0 ? "not mine" : "ok";
    }

    private static String text(Object value) {
        if (value instanceof Map<?, ?> fields) {
            return fields.entrySet().stream()
                    .map(field -> field.getKey() + " |-> " + text(field.getValue()))
                    .collect(Collectors.joining(", ", "[", "]"));
        }
        if (value instanceof Set<?> set) {
            return "{" + joined(set) + "}";
        }
        if (value instanceof List<?> sequence) {
            return "<<" + joined(sequence) + ">>";
        }
        if (value instanceof Claim claim) {
            return text(claim.parts());
        }
        if (value instanceof Boolean truth) {
            return truth ? "TRUE" : "FALSE";
        }
        return value instanceof Number ? value.toString() : '"' + value.toString() + '"';
    }

    private static String joined(Collection<?> values) {
        return values.stream().map(ScriptTrace::text).collect(Collectors.joining(", "));
    }
}
