package io.distributionlock.release;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * Two versions of the library lock together, each in a process of its own, as in a rolling update. {@code .ci/release-check} runs this
 * with the java launcher, so it needs nothing but the JDK: {@code MixedVersions FORMER.jar CURRENT.jar PORT-OF-REDIS}. Both are the
 * application of verification/compatibility/boot3, made with either version.
 */
final class MixedVersions {

    /** Long enough for an overloaded machine. */
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    private static final String FOREVER = "PT5M";
    private static final String AT_ONCE = "PT0S";

    private MixedVersions() {}

    public static void main(String[] arguments) throws Exception {
        try (Partner current = new Partner("current", arguments[1], arguments[2])) {
            try (Partner former = new Partner("former", arguments[0], arguments[2])) {
                bothWays(former, current);
                bothWays(current, former);
                theOtherInheritsAfterACrash(former, current);
            }
            try (Partner former = new Partner("former", arguments[0], arguments[2])) {
                theOtherInheritsAfterACrash(current, former);
            }
        }
    }

    private static void bothWays(Partner one, Partner other) throws Exception {
        theyExcludeEachOther(one, other);
        aReleaseWakesTheOther(one, other);
        theyShareOneQueue(one, other);
        readersShareAndWritersDoNot(one, other);
        theyCountPermitsTogether(one, other);
        tokensGrow(one, other);
        aMinimumHoldTimeKeepsTheOtherOut(one, other);
        aForcedReleaseReachesTheOther(one, other);
        System.out.println("[mixed] " + one.name + " first: passed");
    }

    private static void theyExcludeEachOther(Partner one, Partner other) throws Exception {
        for (String kind : List.of("REENTRANT", "FAIR", "WRITE")) {
            one.acquires("a", "excluded", kind);
            for (String against : List.of("REENTRANT", "FAIR", "READ", "WRITE")) {
                other.tell("b", "acquire excluded " + against + " " + AT_ONCE + " " + FOREVER + " " + AT_ONCE);
                other.answers("b", "BUSY");
            }
            one.releases("a");
        }
    }

    /** Without messages a waiter asks once a second. */
    private static void aReleaseWakesTheOther(Partner one, Partner other) throws Exception {
        Map<Partner, List<Long>> turnsOf = Map.of(one, new ArrayList<>(), other, new ArrayList<>());
        Partner holder = one;
        Partner waiter = other;
        holder.acquires("turn0", "turns", "REENTRANT");
        for (int turn = 1; turn <= 10; turn++) {
            waiter.waits("turn" + turn, "turns", "REENTRANT");
            waiter.awaitQueue("turns", 1);
            long released = System.nanoTime();
            holder.releases("turn" + (turn - 1));
            waiter.answers("turn" + turn, "ACQUIRED");
            turnsOf.get(holder)
                    .add(Duration.ofNanos(System.nanoTime() - released).toMillis());
            Partner next = holder;
            holder = waiter;
            waiter = next;
        }
        holder.releases("turn10");
        for (List<Long> turns : turnsOf.values()) {
            turns.sort(null);
            require(turns.get(1) < 400, "two of five turns within 400 ms, but they took " + turns);
        }
    }

    private static void theyShareOneQueue(Partner one, Partner other) throws Exception {
        one.acquires("a", "fair", "FAIR");
        List<Partner> inOrder = List.of(other, one, other, one);
        for (int place = 0; place < inOrder.size(); place++) {
            inOrder.get(place).waits("place" + place, "fair", "FAIR");
            one.awaitQueue("fair", place + 1);
        }
        one.releases("a");
        for (int place = 0; place < inOrder.size(); place++) {
            inOrder.get(place).answers("place" + place, "ACQUIRED");
            for (int later = place + 1; later < inOrder.size(); later++) {
                require(inOrder.get(later).hasNotAnswered("place" + later), "no place before its turn");
            }
            inOrder.get(place).releases("place" + place);
        }
    }

    private static void readersShareAndWritersDoNot(Partner one, Partner other) throws Exception {
        one.acquires("reader", "shared", "READ");
        other.acquires("reader", "shared", "READ");
        other.waits("writer", "shared", "WRITE");
        one.awaitQueue("shared", 1);
        one.releases("reader");
        require(other.hasNotAnswered("writer"), "no writer beside a reader");
        other.releases("reader");
        other.answers("writer", "ACQUIRED");
        one.tell("late", "acquire shared READ " + AT_ONCE + " " + FOREVER + " " + AT_ONCE);
        one.answers("late", "BUSY");
        other.releases("writer");
    }

    private static void theyCountPermitsTogether(Partner one, Partner other) throws Exception {
        one.acquires("first", "permits", "2");
        other.acquires("second", "permits", "2");
        for (Partner third : List.of(one, other)) {
            third.tell("third", "acquire permits 2 " + AT_ONCE + " " + FOREVER + " " + AT_ONCE);
            third.answers("third", "BUSY");
        }
        other.tell("lock", "acquire permits REENTRANT " + AT_ONCE + " " + FOREVER + " " + AT_ONCE);
        other.answers("lock", "INCOMPATIBLE");
        one.releases("first");
        other.releases("second");
    }

    private static void tokensGrow(Partner one, Partner other) throws Exception {
        long last = 0;
        for (String kind : List.of("REENTRANT", "FAIR", "WRITE", "READ")) {
            for (Partner holder : List.of(one, other)) {
                holder.acquires("token", "tokens", kind);
                holder.tell("token", "token");
                long token = Long.parseLong(holder.answer("token"));
                require(token > last, "a greater token than " + last + ", but it is " + token);
                last = token;
                holder.releases("token");
            }
        }
    }

    private static void aMinimumHoldTimeKeepsTheOtherOut(Partner one, Partner other) throws Exception {
        one.tell("short", "acquire minimum REENTRANT " + AT_ONCE + " " + FOREVER + " " + FOREVER);
        one.answers("short", "ACQUIRED");
        one.releases("short");
        other.tell("early", "acquire minimum REENTRANT " + AT_ONCE + " " + FOREVER + " " + AT_ONCE);
        other.answers("early", "BUSY");
        other.tell("force", "force minimum");
        other.answers("force", "true");
    }

    private static void aForcedReleaseReachesTheOther(Partner one, Partner other) throws Exception {
        one.acquires("forced", "forced", "REENTRANT");
        other.tell("force", "force forced");
        other.answers("force", "true");
        one.awaitLoss("forced");
        one.tell("forced", "release");
        one.answers("forced", "LOST");
    }

    private static void theOtherInheritsAfterACrash(Partner crashing, Partner other) throws Exception {
        crashing.tell("gone", "acquire crash FAIR " + AT_ONCE + " PT3S " + AT_ONCE);
        crashing.answers("gone", "ACQUIRED");
        other.waits("heir", "crash", "FAIR");
        other.awaitQueue("crash", 1);
        crashing.close();
        other.answers("heir", "ACQUIRED");
        other.releases("heir");
        System.out.println("[mixed] " + crashing.name + " crashed, the other went on: passed");
    }

    private static void require(boolean held, String what) {
        if (!held) {
            throw new AssertionError("[mixed] " + what);
        }
    }

    /** A process with one of the versions. */
    private static final class Partner implements AutoCloseable {

        private final String name;
        private final Process process;
        private final PrintWriter orders;
        private final Map<String, BlockingQueue<String>> answers = new ConcurrentHashMap<>();

        Partner(String name, String jar, String port) throws Exception {
            this.name = name;
            this.process = new ProcessBuilder(
                            "java",
                            "-XX:TieredStopAtLevel=1",
                            "-Dpartner=true",
                            "-Dserver.port=0",
                            "-Dspring.data.redis.port=" + port,
                            "-Ddistribution-lock.redis.command-timeout=30s",
                            "-jar",
                            jar)
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            this.orders = new PrintWriter(process.getOutputStream(), true, UTF_8);
            Thread reader = new Thread(this::read);
            reader.setDaemon(true);
            reader.start();
            answers("ready", "");
        }

        private void read() {
            try (BufferedReader lines = new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8))) {
                for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                    String[] words = (line + " ").split(" ", -1);
                    if (words[0].equals("[partner]")) {
                        to(words[1]).add(words[2]);
                    }
                }
            } catch (IOException e) {
                // The process has ended; what it did not answer is missed by who waits for it.
            }
        }

        private BlockingQueue<String> to(String what) {
            return answers.computeIfAbsent(what, any -> new LinkedBlockingQueue<>());
        }

        void tell(String what, String order) {
            orders.println(what + " " + order);
        }

        String answer(String what) throws InterruptedException {
            String answer = to(what).poll(PATIENCE.toSeconds(), TimeUnit.SECONDS);
            require(answer != null, "no answer of the " + name + " version to '" + what + "'");
            return answer;
        }

        void answers(String what, String expected) throws InterruptedException {
            String answer = answer(what);
            require(
                    answer.equals(expected),
                    "the " + name + " version answers " + answer + " to '" + what + "' instead of " + expected);
        }

        boolean hasNotAnswered(String what) {
            return to(what).isEmpty();
        }

        void acquires(String hold, String lock, String kind) throws InterruptedException {
            tell(hold, "acquire " + lock + " " + kind + " " + AT_ONCE + " " + FOREVER + " " + AT_ONCE);
            answers(hold, "ACQUIRED");
        }

        void waits(String hold, String lock, String kind) {
            tell(hold, "acquire " + lock + " " + kind + " " + FOREVER + " " + FOREVER + " " + AT_ONCE);
        }

        void releases(String hold) throws InterruptedException {
            tell(hold, "release");
            answers(hold, "RELEASED");
        }

        void awaitQueue(String lock, int length) throws InterruptedException {
            awaitAnswer("queued " + lock, String.valueOf(length));
        }

        void awaitLoss(String hold) throws InterruptedException {
            long end = System.nanoTime() + PATIENCE.toNanos();
            do {
                tell(hold, "valid");
            } while (answer(hold).equals("true") && System.nanoTime() < end);
        }

        private void awaitAnswer(String question, String expected) throws InterruptedException {
            long end = System.nanoTime() + PATIENCE.toNanos();
            String answer;
            do {
                tell("asked", question);
                answer = answer("asked");
            } while (!answer.equals(expected) && System.nanoTime() < end);
            require(answer.equals(expected), question + " is " + answer + " instead of " + expected);
        }

        @Override
        public void close() throws InterruptedException {
            process.destroyForcibly().waitFor();
        }
    }
}
