package io.distributionlock.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributionlock.LockKind;
import io.distributionlock.LockOwner;
import io.distributionlock.LockRequest;
import io.distributionlock.backend.AcquireReply;
import io.distributionlock.backend.EngineSettings;
import io.distributionlock.backend.NotReplicatedException;
import io.distributionlock.backend.RenewReply;
import io.distributionlock.backend.TryAgainException;
import io.distributionlock.internal.BackendProblemException;
import io.distributionlock.state.Attempt.State;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The table of {@link Attempt} is what random events do to the claims of a lock. */
class ClaimStatesTest {

    private static final Path ATTEMPT = Path.of("src/main/java/io/distributionlock/state/Attempt.java");
    private static final int RUNS = 1_000;
    private static final int STEPS = 1_000;

    private static final String NEW = "NEW";
    private static final String FORGOTTEN = "FORGOTTEN";

    /** What led from one state to another, or to an end. */
    private final Map<String, Map<String, Set<String>>> seen = new HashMap<>();

    @Test
    void theTableOfStatesIsWhatHappens() throws IOException {
        for (int seed = 1; seed <= RUNS; seed++) {
            new Run(seed).run();
        }
        List<String> table = table();
        System.out.println(String.join("\n", table));
        assertThat(Files.readAllLines(ATTEMPT))
                .as("The table in the comment of Attempt should be:\n%s", String.join("\n * ", table))
                .filteredOn(line -> line.contains("→"))
                .extracting(line -> line.substring(" * ".length()))
                .containsExactlyElementsOf(table);
    }

    private List<String> table() {
        List<String> table = new ArrayList<>();
        List<String> ends = new ArrayList<>();
        table.add(row(NEW, String.join(", ", new TreeSet<>(seen.get(NEW).keySet()))));
        for (State from : State.values()) {
            Map<String, Set<String>> next = seen.get(from.name());
            for (State to : State.values()) {
                if (next.containsKey(to.name())) {
                    table.add(row(from.name(), String.format("%-9s", to) + String.join(", ", next.remove(to.name()))));
                }
            }
            ends.add(row(from.name(), String.join(", ", next.keySet())));
        }
        table.addAll(ends);
        return table;
    }

    private static String row(String from, String to) {
        return String.format("%-8s → %s", from, to);
    }

    private void note(String from, String to, String by) {
        seen.computeIfAbsent(from, unused -> new TreeMap<>())
                .computeIfAbsent(to, unused -> new TreeSet<>())
                .add(by);
    }

    /** One lock in one process, and a backend that answers anything. */
    private final class Run {

        private final Random random;

        /** Whether the backend answers each acquire as it should. */
        private final boolean calm;

        private final EngineSettings settings = EngineSettings.standard("me");
        private final AnswerTimeout timeout = new AnswerTimeout(settings);
        private final LockState lock = new LockState(
                "job",
                new StateContext(
                        settings, new ClaimIdGenerator("me"), timeout, new FastPathGate(() -> false), () -> 0));
        private final List<Waiter> waiters = new ArrayList<>();
        private final List<Hold> holds = new ArrayList<>();
        private final List<Decision> commands = new ArrayList<>();
        private long now;
        private long fence;

        Run(int seed) {
            random = new Random(seed);
            calm = seed % 2 == 0;
        }

        void run() {
            for (int i = 0; i < STEPS; i++) {
                now += random.nextInt(20) == 0 ? randomNanos(3_000) : randomNanos(30);
                step();
            }
        }

        private void step() {
            int choice = random.nextInt(100);
            if (choice < 20) {
                happens("arrival", new Event.Acquire(waiter()));
            } else if (choice < 22 && !waiters.isEmpty()) {
                happens("cancellation", new Event.Cancel(one(waiters)));
            } else if (choice < 50 && !commands.isEmpty()) {
                answer(commands.remove(random.nextInt(commands.size())));
            } else if (choice < 75 && !holds.isEmpty()) {
                ofHold(one(holds));
            } else if (choice < 82) {
                lock.queues().stream()
                        .filter(queue -> queue.attempt != null)
                        .findAny()
                        .ifPresent(queue -> message(queue.attempt.claim()));
            } else if (choice < 84) {
                happens("connection", random.nextBoolean() ? new Event.Listening() : new Event.Reconnected());
            } else if (random.nextInt(1_000) == 0) {
                happens(
                        "stop",
                        random.nextBoolean()
                                ? new Event.RefuseWaiters(new IllegalStateException())
                                : new Event.RevokeAll());
            } else {
                happens("time", new Event.Tick());
            }
        }

        private Waiter waiter() {
            LockRequest.Builder request =
                    LockRequest.named("job").tryLockTime(Duration.ofMillis(random.nextInt(3) * random.nextInt(5_000)));
            Duration lease = Duration.ofMillis(100 + random.nextInt(10_000));
            request = random.nextBoolean() ? request.renewedLease(lease) : request.holdLockTime(lease);
            if (random.nextInt(10) == 0) {
                request.kind(random.nextBoolean() ? LockKind.FAIR : LockKind.READ);
            }
            if (random.nextInt(10) == 0) {
                request.minHoldTime(Duration.ofMillis(random.nextInt(100)));
            }
            LockOwner owner = holds.isEmpty() || random.nextInt(5) > 0
                    ? LockOwner.unique()
                    : one(holds).ownership.owner();
            Waiter waiter = new Waiter(request.build(), owner, new CompletableFuture<>(), now, timeout);
            waiters.add(waiter);
            return waiter;
        }

        private void answer(Decision command) {
            if (command instanceof Decision.SendAcquire acquire) {
                answer(acquire);
            } else if (command instanceof Decision.SendRenew renew) {
                int choice = random.nextInt(20);
                happens(
                        choice == 0 ? "not held" : choice == 1 ? "failure" : "held",
                        new Event.RenewAnswered(
                                renew, choice == 1 ? null : new RenewReply(choice > 0, random.nextInt(2))));
            } else if (command instanceof Decision.SendNumber number) {
                int choice = random.nextInt(10);
                happens(
                        choice == 0 ? "not held" : choice == 1 ? "failure" : "held",
                        choice == 0
                                ? new Event.Gone(number.claim())
                                : choice == 1
                                        ? new Event.NumberFailed(number, new TimeoutException())
                                        : new Event.NumberAnswered(number, ++fence));
            }
        }

        private void answer(Decision.SendAcquire command) {
            switch (random.nextInt(calm ? 7 : 13)) {
                case 0, 1, 2, 3 ->
                    happens(
                            "ok",
                            new Event.AcquireAnswered(
                                    command,
                                    new AcquireReply.Ok(command.uncontended() ? 0 : ++fence, random.nextInt(2))));
                case 4, 5, 6 ->
                    happens("busy", new Event.AcquireAnswered(command, new AcquireReply.Busy(randomMillis(), fence)));
                case 7 -> happens("mixed", new Event.AcquireAnswered(command, new AcquireReply.Mixed("other:p1-1")));
                case 8 -> happens("gone", new Event.AcquireAnswered(command, new AcquireReply.Gone()));
                case 9 -> happens("not replicated", new Event.AcquireFailed(command, new NotReplicatedException("?")));
                case 10 ->
                    happens(
                            "refusal",
                            new Event.AcquireFailed(command, new TryAgainException("?", random.nextBoolean())));
                case 11 ->
                    happens(
                            "failure",
                            new Event.AcquireFailed(
                                    command, new BackendProblemException("?", "?", null, random.nextBoolean())));
                default -> {
                    // It has no answer.
                }
            }
        }

        private void message(Claim claim) {
            happens(
                    "message",
                    switch (random.nextInt(3)) {
                        case 0 -> new Event.Granted(claim);
                        case 1 -> new Event.Revoked(claim);
                        default -> new Event.OwnerProbed(claim);
                    });
        }

        private void ofHold(Hold hold) {
            switch (random.nextInt(8)) {
                case 0 -> happens("holder", new Event.Extend(hold, randomNanos(5_000), new CompletableFuture<>()));
                case 1 -> happens("holder", new Event.Confirm(hold, new CompletableFuture<>()));
                case 2 -> happens("holder", new Event.Number(hold, new CompletableFuture<>()));
                case 3 -> happens("holder", new Event.Examine(hold));
                default -> {
                    holds.remove(hold);
                    happens("release", new Event.Release(hold, new CompletableFuture<>()));
                }
            }
        }

        private void happens(String what, Event event) {
            Map<Claim, State> before = states();
            List<Decision> out = new ArrayList<>();
            lock.on(event, now, out);
            Map<Claim, State> after = states();
            after.forEach((claim, state) -> {
                State former = before.get(claim);
                if (former != state) {
                    note(former == null ? NEW : former.name(), state.name(), what);
                }
            });
            Map<Claim, String> releases = out.stream()
                    .filter(decision -> decision instanceof Decision.SendRelease)
                    .map(decision -> (Decision.SendRelease) decision)
                    .collect(Collectors.toMap(
                            Decision.SendRelease::claim,
                            release -> release.mode().name()));
            before.forEach((claim, state) -> {
                if (!after.containsKey(claim)) {
                    note(state.name(), releases.getOrDefault(claim, FORGOTTEN), what);
                }
            });
            for (Decision decision : out) {
                if (decision instanceof Decision.Grant grant) {
                    holds.add(grant.hold());
                    waiters.remove(grant.waiter());
                } else if (decision instanceof Decision.Fail fail) {
                    waiters.remove(fail.waiter());
                }
            }
            out.stream()
                    .filter(decision -> decision instanceof Decision.Command)
                    .forEach(commands::add);
        }

        private Map<Claim, State> states() {
            Map<Claim, State> states = new HashMap<>();
            for (RequestQueue queue : lock.queues()) {
                if (queue.attempt != null) {
                    states.put(queue.attempt.claim(), queue.attempt.state());
                }
            }
            return states;
        }

        private <T> T one(List<T> all) {
            return all.get(random.nextInt(all.size()));
        }

        private long randomMillis() {
            return random.nextInt(5_000) - 1_000;
        }

        private long randomNanos(int millis) {
            return Times.nanos(random.nextInt(millis));
        }
    }
}
