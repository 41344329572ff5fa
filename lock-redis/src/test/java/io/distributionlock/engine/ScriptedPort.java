package io.distributionlock.engine;

import static io.distributionlock.engine.Words.text;

import io.distributionlock.backend.AcquireReply;
import io.distributionlock.backend.CommandListener;
import io.distributionlock.backend.CommandPort;
import io.distributionlock.backend.NotReplicatedException;
import io.distributionlock.backend.ReleaseReply;
import io.distributionlock.backend.RenewReply;
import io.distributionlock.backend.TryAgainException;
import io.distributionlock.internal.BackendProblemException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Numbers the commands of a process and writes them down. A {@link StateFile} answers them. */
final class ScriptedPort implements CommandPort {

    private final String usualName;
    private final long pollMillis;
    private final int maxHeartbeatEntries;
    private final Consumer<String> record;
    private final List<Sent<?>> commands = new ArrayList<>();

    /** What the backend answers at once to each command of a verb. */
    final Map<String, String> usualAnswers = new HashMap<>();

    CommandListener listener;
    private boolean listens;

    ScriptedPort(String usualName, long pollMillis, int maxHeartbeatEntries, Consumer<String> record) {
        this.usualName = usualName;
        this.pollMillis = pollMillis;
        this.maxHeartbeatEntries = maxHeartbeatEntries;
        this.record = record;
    }

    /** A command and what its answers mean. */
    private final class Sent<R> extends CompletableFuture<R> {

        private final int number;
        private final Function<String, R> meaning;

        Sent(Function<String, R> meaning) {
            commands.add(this);
            this.number = commands.size();
            this.meaning = meaning;
        }

        void answer(String reply) {
            switch (reply) {
                case "fails" -> completeExceptionally(new IOException(reply));
                case "not-now" -> completeExceptionally(new TryAgainException(reply));
                case "given-up" -> completeExceptionally(new TryAgainException(reply, true));
                case "refused" -> completeExceptionally(new BackendProblemException(reply, "", null, true));
                case "not-replicated" -> completeExceptionally(new NotReplicatedException(reply));
                default -> complete(meaning.apply(reply));
            }
        }

        void answerAsUsual(String verb) {
            String reply = usualAnswers.getOrDefault(verb, "nothing");
            if (!reply.equals("nothing")) {
                answer(reply);
            }
        }

        @Override
        public boolean cancel(boolean mayInterruptIfRunning) {
            boolean dropped = super.cancel(mayInterruptIfRunning);
            if (dropped) {
                record.accept("#" + number + " dropped");
            }
            return dropped;
        }
    }

    void answer(int number, String reply) {
        commands.get(number - 1).answer(reply);
    }

    private <R> CompletableFuture<R> send(String name, String command, Function<String, R> meaning) {
        Sent<R> sent = new Sent<>(meaning);
        record.accept("-> #" + sent.number + " " + command + at(name));
        sent.answerAsUsual(command.split(" ")[0]);
        return sent;
    }

    private String at(String name) {
        return name.equals(usualName) ? "" : " (" + name + ")";
    }

    private static AcquireReply acquired(String reply) {
        Words words = new Words(reply);
        AcquireReply meant = switch (words.next()) {
            case "ok" -> new AcquireReply.Ok(words.number("fence", 0), words.number("others", 0), words.has("still"));
            case "busy" -> new AcquireReply.Busy(words.time("left", "60s").toMillis(), words.number("fence", 7));
            case "endless" -> new AcquireReply.Busy(-1, words.number("fence", 7));
            case "mixed" -> new AcquireReply.Mixed(words.next());
            case "gone" -> new AcquireReply.Gone();
            default -> throw new IllegalArgumentException(reply);
        };
        words.end();
        return meant;
    }

    private static ReleaseReply released(String reply) {
        return ReleaseReply.valueOf(reply.toUpperCase(Locale.ROOT).replace('-', '_'));
    }

    private static RenewReply renewed(String reply) {
        Words words = new Words(reply);
        RenewReply meant = new RenewReply(words.has("held"), words.number("others", 0));
        words.has("gone");
        words.end();
        return meant;
    }

    @Override
    public void attach(CommandListener engine) {
        listener = engine;
    }

    @Override
    public void listen() {
        listens = true;
    }

    private String acquire(String claim, long leaseMillis) {
        if (!listens) {
            throw new AssertionError("It asks for a lock, and would not be told of it.");
        }
        return claim + " " + text(leaseMillis);
    }

    @Override
    public CompletableFuture<AcquireReply> acquire(String name, String claim, long leaseMillis, boolean wait) {
        return send(name, "acquire " + acquire(claim, leaseMillis) + (wait ? "" : " once"), ScriptedPort::acquired);
    }

    @Override
    public CompletableFuture<AcquireReply> acquireUncontended(
            String name, String claim, long leaseMillis, boolean wait) {
        return send(
                name,
                "acquire " + acquire(claim, leaseMillis) + (wait ? "" : " once") + " uncontended",
                ScriptedPort::acquired);
    }

    @Override
    public int maxHeartbeatEntries() {
        return maxHeartbeatEntries;
    }

    @Override
    public CompletableFuture<List<AcquireReply>> acquireAll(String name, List<HeartbeatEntry> entries) {
        return send(name, "acquire " + described(entries), reply -> {
            String[] replies = reply.split(", ");
            return Stream.iterate(0, i -> i + 1)
                    .limit(entries.size())
                    .map(i -> acquired(replies[Math.min(i, replies.length - 1)]))
                    .toList();
        });
    }

    private String described(List<HeartbeatEntry> entries) {
        if (entries.size() <= 4) {
            return entries.stream()
                    .map(each -> acquire(each.claim(), each.leaseMillis()))
                    .collect(Collectors.joining(", "));
        }
        return "of " + entries.size() + " from " + entries.get(0).claim() + " to "
                + entries.get(entries.size() - 1).claim();
    }

    @Override
    public CompletableFuture<Long> number(String name, String claim, long leaseMillis) {
        return send(name, "number " + claim, reply -> reply.equals("gone") ? 0 : Long.parseLong(reply));
    }

    @Override
    public CompletableFuture<ReleaseReply> release(String name, String claim, boolean tombstone, long minHoldMillis) {
        return send(
                name,
                "release " + claim + (tombstone ? " tombstone" : "")
                        + (minHoldMillis == 0 ? "" : " min-hold=" + text(minHoldMillis)),
                ScriptedPort::released);
    }

    @Override
    public CompletableFuture<ReleaseReply> releaseUncontended(String name, String claim) {
        return send(name, "release " + claim + " uncontended", ScriptedPort::released);
    }

    @Override
    public List<CompletableFuture<RenewReply>> renew(List<Renewal> renewals) {
        List<Sent<RenewReply>> sent =
                renewals.stream().map(each -> new Sent<>(ScriptedPort::renewed)).toList();
        record.accept(Stream.iterate(0, i -> i + 1)
                .limit(renewals.size())
                .map(i -> "#" + sent.get(i).number + " " + described(renewals.get(i)))
                .collect(Collectors.joining(", ", "-> ", "")));
        sent.forEach(each -> each.answerAsUsual("renew"));
        return List.copyOf(sent);
    }

    private String described(Renewal renewal) {
        return (renewal.leaseMillis() == 0 ? "check " : "renew ")
                + renewal.claim()
                + (renewal.leaseMillis() == 0 ? "" : " " + text(renewal.leaseMillis()))
                + (renewal.reads() ? " reading" : "")
                + (renewal.numbered() ? " numbered" : "")
                + at(renewal.name());
    }

    @Override
    public CompletableFuture<Boolean> isLocked(String name) {
        return send(name, "locked?", "yes"::equals);
    }

    @Override
    public CompletableFuture<Boolean> forceRelease(String name) {
        return send(name, "force", "yes"::equals);
    }

    @Override
    public void probeOwners(String name) {
        record.accept("-> probe owners" + at(name));
    }

    @Override
    public long pollMillis() {
        return pollMillis;
    }

    @Override
    public void close() {}
}
