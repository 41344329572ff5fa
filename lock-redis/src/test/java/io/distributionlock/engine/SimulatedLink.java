package io.distributionlock.engine;

import io.distributionlock.backend.AcquireReply;
import io.distributionlock.backend.CommandListener;
import io.distributionlock.backend.CommandPort;
import io.distributionlock.backend.NotReplicatedException;
import io.distributionlock.backend.ReleaseReply;
import io.distributionlock.backend.RenewReply;
import io.distributionlock.backend.TryAgainException;
import io.distributionlock.state.Times;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * The network between one simulated process and the server. Commands travel in order, and so do their answers; each may take as
 * long as the simulation likes. A connection that breaks sends everything unanswered again, as Lettuce does, and the old copies
 * may still arrive later. Messages travel beside the commands, and may be lost.
 */
final class SimulatedLink implements CommandPort {

    /** A release without an answer is repeated sooner than that, unless its process stands still. */
    private static final long REPEATED_WITHIN_NANOS = Times.nanos(12_000);

    private static final String UNCONTENDED = "acquire uncontended ";

    private final CommandPort server;
    private final int maxHeartbeatEntries;
    private final LongSupplier clock;
    private final LongSupplier arrival;
    private final Deque<Command<?>> toServer = new ArrayDeque<>();
    private final Deque<Command<?>> toClient = new ArrayDeque<>();
    private final Deque<Command<?>> strays = new ArrayDeque<>();
    private final Deque<Message> messages = new ArrayDeque<>();
    private CommandListener engine;
    private final Map<String, Fate> fates = new HashMap<>();
    private int failures;
    private boolean subscribed;
    private boolean listening;
    private boolean subscriptionBroken;
    private boolean throwsNext;

    /**
     * @param maxHeartbeatEntries how many waiting claims are asked for together
     * @param arrival when something that is sent now arrives at the latest
     */
    SimulatedLink(CommandPort server, int maxHeartbeatEntries, LongSupplier clock, LongSupplier arrival) {
        this.server = server;
        this.maxHeartbeatEntries = maxHeartbeatEntries;
        this.clock = clock;
        this.arrival = arrival;
    }

    @Override
    public void attach(CommandListener listener) {
        engine = listener;
        server.attach(new MessageTaker());
    }

    @Override
    public CompletableFuture<AcquireReply> acquire(String name, String claim, long leaseMillis, boolean wait) {
        return send(
                claim,
                false,
                "acquire " + name + " " + claim + " " + leaseMillis + " ms" + (wait ? ", waiting" : ""),
                () -> server.acquire(name, claim, leaseMillis, wait));
    }

    @Override
    public int maxHeartbeatEntries() {
        return maxHeartbeatEntries;
    }

    @Override
    public CompletableFuture<List<AcquireReply>> acquireAll(String name, List<HeartbeatEntry> entries) {
        List<String> claims = entries.stream().map(HeartbeatEntry::claim).toList();
        return send(
                claims,
                false,
                "acquire together " + name + " " + String.join(" ", claims),
                () -> CompletableFuture.completedFuture(entries.stream()
                        .map(entry -> server.acquire(name, entry.claim(), entry.leaseMillis(), true)
                                .join())
                        .toList()));
    }

    @Override
    public CompletableFuture<AcquireReply> acquireUncontended(
            String name, String claim, long leaseMillis, boolean wait) {
        return send(
                claim,
                false,
                UNCONTENDED + name + " " + claim + " " + leaseMillis + " ms" + (wait ? ", waiting" : ""),
                () -> server.acquireUncontended(name, claim, leaseMillis, wait));
    }

    @Override
    public CompletableFuture<ReleaseReply> releaseUncontended(String name, String claim) {
        return send(
                claim, true, "release uncontended " + name + " " + claim, () -> server.releaseUncontended(name, claim));
    }

    @Override
    public CompletableFuture<Long> number(String name, String claim, long leaseMillis) {
        return send(claim, false, "number " + name + " " + claim, () -> server.number(name, claim, leaseMillis));
    }

    @Override
    public CompletableFuture<ReleaseReply> release(String name, String claim, boolean tombstone, long minHoldMillis) {
        return send(
                claim,
                true,
                "release " + name + " " + claim + (tombstone ? ", tombstone" : "")
                        + (minHoldMillis > 0 ? ", minimum hold " + minHoldMillis : ""),
                () -> server.release(name, claim, tombstone, minHoldMillis));
    }

    @Override
    public List<CompletableFuture<RenewReply>> renew(List<Renewal> renewals) {
        List<CompletableFuture<RenewReply>> answers = new ArrayList<>();
        for (Renewal renewal : renewals) {
            answers.add(send(
                    renewal.claim(),
                    false,
                    "renew " + renewal.name() + " " + renewal.claim() + " " + renewal.leaseMillis() + " ms",
                    () -> server.renew(List.of(renewal)).get(0)));
        }
        return answers;
    }

    @Override
    public CompletableFuture<Boolean> isLocked(String name) {
        return send("nobody", false, "isLocked " + name, () -> server.isLocked(name));
    }

    @Override
    public CompletableFuture<Boolean> forceRelease(String name) {
        return send("nobody", false, "forceRelease " + name, () -> server.forceRelease(name));
    }

    @Override
    public void listen() {
        if (!subscribed) {
            subscribed = true;
            toServer.add(new Command<>(
                    List.of("nobody"),
                    "subscribe",
                    () -> {
                        server.listen();
                        listening = true;
                        return CompletableFuture.completedFuture(null);
                    },
                    arrival.getAsLong()));
        }
    }

    @Override
    public void close() {
        throw new UnsupportedOperationException("A simulated process ends by a crash or not at all.");
    }

    private <R> CompletableFuture<R> send(
            String claim, boolean release, String label, Supplier<CompletableFuture<R>> atServer) {
        return send(List.of(claim), release, label, atServer);
    }

    private <R> CompletableFuture<R> send(
            List<String> claims, boolean release, String label, Supplier<CompletableFuture<R>> atServer) {
        if (throwsNext) {
            throwsNext = false;
            throw new LinkageError("simulated");
        }
        Command<R> command = new Command<>(claims, label, atServer, arrival.getAsLong());
        for (String claim : claims) {
            tell(fates.computeIfAbsent(claim, unused -> new Fate()), release, command);
        }
        toServer.add(command);
        return command.answer;
    }

    private void tell(Fate fate, boolean release, Command<?> command) {
        fate.releasing |= release;
        fate.lastTold = clock.getAsLong();
        if (release) {
            int copiesBefore = fate.lateCopies;
            command.answer.thenRun(() -> fate.released |= fate.lateCopies == copiesBefore);
        }
    }

    // --- what the simulation lets happen ---

    /** When the next thing happens on the server's side of this link, whatever the process does. */
    long serverDue() {
        return Math.min(due(toServer), due(strays));
    }

    /** When the next answer or message has arrived. */
    long clientDue() {
        Message next = messages.peek();
        return Math.min(due(toClient), next == null ? Times.NEVER : next.arrives);
    }

    boolean hasCommandUnderWay() {
        return !toServer.isEmpty();
    }

    boolean hasAnswerUnderWay() {
        return !toClient.isEmpty();
    }

    boolean hasMessageUnderWay() {
        return !messages.isEmpty();
    }

    boolean hasStray() {
        return !strays.isEmpty();
    }

    boolean isEmpty() {
        return toServer.isEmpty() && toClient.isEmpty() && strays.isEmpty();
    }

    /**
     * Whether a claim that the server knows should be gone: its release was answered, or it was sent long ago and nothing of
     * it is on its way.
     */
    boolean isOrphan(String claim, long now) {
        Fate fate = fates.get(claim);
        if (fate == null || !fate.releasing) {
            return false;
        }
        return fate.released || (now - fate.lastTold > REPEATED_WITHIN_NANOS && !isUnderWay(claim));
    }

    private boolean isUnderWay(String claim) {
        return Stream.of(toServer, toClient, strays)
                .flatMap(Deque::stream)
                .anyMatch(command -> command.claims.contains(claim));
    }

    String runNextCommand() {
        Command<?> command = toServer.remove();
        command.run();
        command.arrives = arrival.getAsLong();
        toClient.add(command);
        return "server runs " + command;
    }

    String runNextStray() {
        Command<?> stray = strays.remove();
        stray.run();
        Fate fate = fates.get(stray.claims.get(0));
        if (fate != null && stray.label.startsWith(UNCONTENDED)) {
            // It ignores the tombstone: only a release that is sent from now on counts.
            fate.lateCopies++;
            fate.released = false;
            fate.lastTold = clock.getAsLong();
        }
        return "server runs duplicate of " + stray;
    }

    /** Runs what is due on the server's side first. */
    String runDue() {
        return due(toServer) <= due(strays) ? runNextCommand() : runNextStray();
    }

    String answerNext() {
        Command<?> command = toClient.remove();
        command.deliver();
        return "answer to " + command;
    }

    String deliverNextMessage() {
        Message message = messages.remove();
        message.content.run();
        return "message " + message.label;
    }

    String deliverDue() {
        Message next = messages.peek();
        return next == null || due(toClient) <= next.arrives ? answerNext() : deliverNextMessage();
    }

    /** The client gives the first command up; it may not run at all, or later. */
    String failNextCommand(boolean runsLater) {
        Command<?> command = toServer.remove();
        if (runsLater) {
            strays.add(command.lateCopy(arrival.getAsLong()));
        }
        boolean refused = !runsLater && everyOther();
        command.answer.completeExceptionally(
                refused ? new TryAgainException("simulated") : new IllegalStateException("simulated failure"));
        return (refused ? "refusal of " : "failure of ")
                + command
                + (runsLater ? ", which runs late" : ", which never runs");
    }

    /** The next command is not sent: the call throws. */
    String throwNext() {
        throwsNext = true;
        return "will throw at the next command";
    }

    private boolean everyOther() {
        failures++;
        return failures % 2 == 0;
    }

    /** The answer to a command that has run is lost, and the client notices; or no replica has acknowledged it. */
    String failNextAnswer() {
        Command<?> command = toClient.remove();
        boolean onlyHere = everyOther();
        command.answer.completeExceptionally(
                onlyHere ? new NotReplicatedException("simulated") : new IllegalStateException("simulated failure"));
        return (onlyHere ? "unreplicated " : "lost answer to ") + command;
    }

    /** Everything unanswered is sent again; copies that were on their way may arrive as well. */
    String reconnect(boolean oldCopiesArrive) {
        List<Command<?>> again = new ArrayList<>(toClient);
        again.addAll(toServer);
        if (oldCopiesArrive) {
            toServer.forEach(command -> strays.add(command.lateCopy(arrival.getAsLong())));
        }
        toClient.clear();
        toServer.clear();
        toServer.addAll(again);
        engine.reconnected();
        return "reconnected, " + again.size() + " commands sent again";
    }

    /** Messages are lost until the link subscribes again and notifies the engine. */
    String loseSubscription() {
        messages.clear();
        subscriptionBroken = true;
        return "subscription lost";
    }

    boolean isListening() {
        return listening && !subscriptionBroken;
    }

    boolean isSubscriptionBroken() {
        return subscriptionBroken;
    }

    String subscribeAgain() {
        subscriptionBroken = false;
        messages.add(new Message("listening again", engine::listening, arrival.getAsLong()));
        return "subscribed again";
    }

    String loseNextMessage() {
        return "lost message " + messages.remove().label;
    }

    /** The process is dead: nothing reaches it, but what it sent may run. */
    void sever(int commandsThatStillRun) {
        toClient.clear();
        messages.clear();
        while (toServer.size() > commandsThatStillRun) {
            toServer.removeLast();
        }
        strays.addAll(toServer);
        toServer.clear();
        server.attach(new DeafListener());
    }

    /** Nothing on its way takes longer than from now until then. */
    void arriveBy(long moment) {
        for (Deque<Command<?>> way : List.of(toServer, toClient, strays)) {
            way.forEach(command -> command.arrives = Math.min(command.arrives, moment));
        }
        messages.forEach(message -> message.arrives = Math.min(message.arrives, moment));
    }

    private static long due(Deque<Command<?>> way) {
        Command<?> next = way.peek();
        return next == null ? Times.NEVER : next.arrives;
    }

    private final class MessageTaker implements CommandListener {

        @Override
        public void granted(String name, String claim) {
            take("granted " + name + " " + claim, () -> engine.granted(name, claim));
        }

        @Override
        public void revoked(String name, String claim) {
            take("revoked " + name + " " + claim, () -> engine.revoked(name, claim));
        }

        @Override
        public void listening() {
            take("listening", engine::listening);
        }

        @Override
        public void reconnected() {
            throw new IllegalStateException("The server in memory has no connections to lose.");
        }

        private void take(String label, Runnable content) {
            if (!subscriptionBroken) {
                messages.add(new Message(label, content, arrival.getAsLong()));
            }
        }
    }

    private static final class DeafListener implements CommandListener {

        @Override
        public void granted(String name, String claim) {}

        @Override
        public void revoked(String name, String claim) {}

        @Override
        public void listening() {}

        @Override
        public void reconnected() {}
    }

    private static final class Message {

        private final String label;
        private final Runnable content;
        private long arrives;

        Message(String label, Runnable content, long arrives) {
            this.label = label;
            this.content = content;
            this.arrives = arrives;
        }
    }

    /** What the process did last with one of its claims. */
    private static final class Fate {
        private boolean releasing;
        private boolean released;
        private int lateCopies;
        private long lastTold;
    }

    /** One command; runs at the server once, or again after a reconnect. */
    private static final class Command<R> {

        private final List<String> claims;
        private final String label;
        private final Supplier<CompletableFuture<R>> atServer;
        private final CompletableFuture<R> answer = new CompletableFuture<>();
        private CompletableFuture<R> result = new CompletableFuture<>();
        private long arrives;

        Command(List<String> claims, String label, Supplier<CompletableFuture<R>> atServer, long arrives) {
            this.claims = claims;
            this.label = label;
            this.atServer = atServer;
            this.arrives = arrives;
        }

        void run() {
            result = atServer.get();
        }

        void deliver() {
            answer.complete(result.join());
        }

        Command<R> lateCopy(long arrives) {
            return new Command<>(claims, label, atServer, arrives);
        }

        @Override
        public String toString() {
            return label + (result.isDone() ? " = " + result.join() : "");
        }
    }
}
