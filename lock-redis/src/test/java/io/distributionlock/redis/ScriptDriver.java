package io.distributionlock.redis;

import static org.awaitility.Awaitility.await;

import io.distributionlock.backend.AcquireReply;
import io.distributionlock.backend.CommandPort.HeartbeatEntry;
import io.distributionlock.engine.EventDriver;
import io.distributionlock.engine.StateFile;
import io.distributionlock.engine.Words;
import io.distributionlock.internal.BackendProblemException;
import io.distributionlock.internal.Failures;
import io.distributionlock.monitor.LockInspection;
import io.distributionlock.testing.RedisProcess;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Lets the commands of a {@link StateFile} run in a real Redis, sent by the processes {@code a} and {@code b}, and writes down what
 * these are answered and told, and what Redis stores. Times are told to the next ten seconds, as a test takes a while.
 */
final class ScriptDriver extends EventDriver implements AutoCloseable {

    private static final String OWNER = TestProcess.PREFIX + ":{order}";
    private static final String USUAL_LEASE = "20s";
    private static final Duration LONG = Duration.ofSeconds(30);
    private static final Duration WINDOW = Duration.ofSeconds(10);

    private final RedisProcess redis = RedisProcess.start();
    private final Map<String, TestProcess> processes = new TreeMap<>();

    /** Each fencing number that was seen, the greatest last. */
    private final List<Long> numbers = new ArrayList<>();

    ScriptDriver() {
        for (String instance : List.of("a", "b")) {
            TestProcess process = new TestProcess(redis.port(), instance, TestProcess.window(WINDOW));
            processes.put(instance, process);
            process.port.listen();
            await().atMost(LONG).until(() -> process.told.listening.get() > 0);
            TestProcess.answer(process.port.acquireUncontended("first", instance + ":0", 1, false));
        }
    }

    @Override
    protected void begin() {
        redis.command("CONFIG", "SET", "maxmemory", "0");
        redis.command("FLUSHALL");
        redis.command("CONFIG", "SET", "slowlog-log-slower-than", "0");
        numbers.clear();
    }

    @Override
    protected void happens(String verb, Words words) {
        switch (verb) {
            case "full" -> redis.command("CONFIG", "SET", "maxmemory", "1");
            case "owner" -> redis.command("SET", OWNER, words.rest(), "PX", "60000");
            case "redis" -> redisRuns(words.rest());
            case "late" -> arrivesAgain(words.rest());
            case "count" -> redis.resetCalls();
            case "calls" -> write("called: " + calls(words));
            case "show" -> show(words);
            default -> sends(verb, words.next(), words);
        }
    }

    /** {@code @} stands for the owner key, with which the others begin; {@code now+1h} for a time in micros. */
    private void redisRuns(String command) {
        Object answer = redis.command(Stream.of(command.split(" "))
                .map(word -> word.replace("@", OWNER))
                .map(word -> word.startsWith("now+")
                        ? String.valueOf(serverMicros()
                                + Words.duration(word.substring("now+".length()))
                                                .toNanos()
                                        / 1_000)
                        : word)
                .toArray(String[]::new));
        if (command.startsWith("SET")) {
            write(answer == null ? "not set" : "set");
        } else if (command.startsWith("LINDEX") || command.startsWith("PTTL")) {
            write(String.valueOf(answer));
        }
    }

    /** A copy of the last call of this script, which Redis has in its log of slow commands: every command counts as slow. */
    private void arrivesAgain(String script) {
        List<?> log = (List<?>) redis.command("SLOWLOG", "GET", "128");
        List<?> call = log.stream()
                .map(entry -> (List<?>) ((List<?>) entry).get(3))
                .filter(words -> words.get(0).equals("EVALSHA") && words.contains(script))
                .findFirst()
                .orElseThrow();
        redis.command(call.stream().map(String::valueOf).toArray(String[]::new));
    }

    private String calls(Words words) {
        return Stream.of(words.rest().split(" "))
                .map(command -> command + " " + redis.calls(command))
                .collect(Collectors.joining(", "));
    }

    private long serverMicros() {
        List<?> time = (List<?>) redis.command("TIME");
        return Long.parseLong(String.valueOf(time.get(0))) * 1_000_000 + Long.parseLong(String.valueOf(time.get(1)));
    }

    // ------------------------------------------------------------------ commands and answers

    private void sends(String process, String verb, Words words) {
        RedisCommandPort port = processes.get(process).port;
        String name = words.get("name", "order");
        switch (verb) {
            case "locked?" -> answer(process, port.isLocked(name), held -> held ? "locked" : "free");
            case "inspect" -> answer(process, port.inspect(name), this::described);
            case "force" -> answer(process, port.forceRelease(name), held -> held ? "released" : "nobody");
            case "probe-owners" -> port.probeOwners(name);
            case "heartbeat" ->
                answer(
                        process,
                        port.acquireAll(
                                name,
                                Stream.of(words.rest().split(" "))
                                        .map(claim -> new HeartbeatEntry(claim, millis(USUAL_LEASE)))
                                        .toList()),
                        replies -> replies.stream().map(this::described).collect(Collectors.joining("; ")));
            default -> sends(process, verb, name, words.next(), words);
        }
    }

    private void sends(String process, String verb, String name, String claim, Words words) {
        RedisCommandPort port = processes.get(process).port;
        long lease = millis(words.get("lease", USUAL_LEASE));
        long minHold = millis(words.get("min-hold", "0s"));
        switch (verb) {
            case "acquire" -> answer(process, port.acquire(name, claim, lease, !words.has("once")), this::described);
            case "acquire-uncontended" ->
                answer(process, port.acquireUncontended(name, claim, lease, !words.has("once")), this::described);
            case "release" ->
                answer(process, port.release(name, claim, words.has("tombstone"), minHold), ScriptDriver::word);
            case "release-uncontended" -> answer(process, port.releaseUncontended(name, claim), ScriptDriver::word);
            case "number" -> answer(process, port.number(name, claim, lease), this::number);
            case "renew" ->
                answer(
                        process,
                        port.renew(List.of(TestProcess.renewal(name, claim, lease)))
                                .get(0),
                        reply -> !reply.held() ? "gone" : reply.waiting() == 0 ? "held" : "held, others wait");
            case "raise" ->
                answer(
                        process,
                        port.raiseFence(
                                name, claim, greatest() + words.number("by", 0), lease, words.number("uptime", 0)),
                        ScriptDriver::word);
            default -> throw new IllegalArgumentException("What does '" + verb + "' mean?");
        }
    }

    private <T> void answer(String process, CompletableFuture<T> answer, Function<T, String> meaning) {
        write(process + ": "
                + TestProcess.answer(answer.handle((reply, failure) ->
                        failure == null ? meaning.apply(reply) : described(Failures.unwrapped(failure)))));
    }

    private static String described(Throwable failure) {
        return ((BackendProblemException) failure).description().replaceFirst(" \\(.*", "");
    }

    private String described(AcquireReply reply) {
        if (reply instanceof AcquireReply.Ok ok) {
            return "ok"
                    + (ok.fence() == 0 ? "" : " " + number(ok.fence()))
                    + (ok.still() ? ", still" : "")
                    + (ok.waiting() == 0 ? "" : ", " + ok.waiting() + " wait");
        }
        if (reply instanceof AcquireReply.Busy busy) {
            return "busy for " + time(busy.leaseLeftMillis()) + ", " + number(busy.fence());
        }
        return reply instanceof AcquireReply.Mixed mixed ? "mixed with " + mixed.holder() : "gone";
    }

    private String described(LockInspection shown) {
        String inside = shown.inside().stream()
                .map(each -> each.claim() + " " + time(each.leaseLeft().toMillis())
                        + (each.minHold() ? " minimum hold" : each.reads() ? " reads" : "")
                        + (each.permits() == 0 ? "" : " of " + each.permits()))
                .sorted()
                .collect(Collectors.joining(", "));
        return "inside [" + inside + "], waiting " + shown.queue() + ", " + number(shown.lastFence());
    }

    private static String word(Enum<?> answer) {
        return answer.name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }

    /** The first that is seen is {@code n1}, and each greater one is the next. */
    private String number(long number) {
        if (number == 0) {
            return "no number";
        }
        if (!numbers.contains(number)) {
            if (numbers.stream().anyMatch(earlier -> earlier > number)) {
                return "an earlier number";
            }
            numbers.add(number);
        }
        return "n" + (numbers.indexOf(number) + 1);
    }

    private long greatest() {
        return numbers.isEmpty() ? 0 : numbers.get(numbers.size() - 1);
    }

    private static long millis(String time) {
        return Words.duration(time).toMillis();
    }

    private static String time(long millis) {
        return millis < 0 || millis > Duration.ofDays(1).toMillis()
                ? "ever"
                : Words.text((Math.max(0, millis - 50) + 9_999) / 10_000 * 10_000);
    }

    // ------------------------------------------------------------------ messages

    @Override
    protected void ended() {
        processes.forEach((instance, process) -> {
            RecordingListener told = process.told;
            redis.command("PUBLISH", TestProcess.PREFIX + ":wake:" + instance, "revoked\n" + instance + ":0\nlast");
            await().atMost(LONG)
                    .pollDelay(Duration.ZERO)
                    .pollInterval(Duration.ofMillis(1))
                    .until(() -> told.revoked.removeIf(message -> message.name().equals("last")));
            told.granted.forEach(message -> write("-> granted " + message.claim()));
            told.revoked.forEach(message -> write("-> revoked " + message.claim()));
            told.probed.forEach(message -> write("-> probe " + message.claim()));
            told.granted.clear();
            told.revoked.clear();
            told.probed.clear();
        });
    }

    // ------------------------------------------------------------------ what is stored

    /** Some of the keys, or all; each with its life. */
    private void show(Words words) {
        List<String> wanted = List.of(words.rest().split(" "));
        List<?> keys = (List<?>) redis.command("KEYS", "*");
        List<String> shown = keys.stream()
                .map(String::valueOf)
                .sorted()
                .filter(key -> wanted.equals(List.of("")) || wanted.contains(kind(key)))
                .map(this::shown)
                .toList();
        (shown.isEmpty() ? List.of("no keys") : shown).forEach(this::write);
    }

    private static String kind(String key) {
        String suffix = key.substring(key.indexOf('}') + 1);
        return suffix.isEmpty() ? "owner" : suffix.split(":")[1];
    }

    private String shown(String key) {
        String where = key.startsWith(OWNER) ? "" : " of " + key.substring(key.indexOf('{') + 1, key.indexOf('}'));
        return kind(key) + where + " " + content(key) + ", for " + time((Long) redis.command("PTTL", key));
    }

    private String content(String key) {
        long now = serverMicros() / 1_000;
        return switch (kind(key)) {
            case "queue" -> String.valueOf(redis.command("ZRANGE", key, "0", "-1"));
            case "readers" -> pairs(redis.command("ZRANGE", key, "0", "-1", "WITHSCORES"), now);
            case "peers" -> pairs(redis.command("HGETALL", key), now);
            case "gone" -> key.substring(key.indexOf(":gone:") + ":gone:".length());
            case "fence" -> fence(String.valueOf(redis.command("GET", key)).split(" "));
            default -> owner(String.valueOf(redis.command("GET", key)).split(" "), now);
        };
    }

    private String fence(String[] words) {
        return number(Long.parseLong(words[0])) + (words.length > 1 ? " of " + words[1] : "");
    }

    private static String owner(String[] words, long now) {
        return words[0] + (words.length > 1 ? until(words[1], now) : "");
    }

    private static String until(String end, long now) {
        long left = Long.parseLong(end) - now;
        return left < 0 ? " over" : " until " + time(left);
    }

    private static String pairs(@Nullable Object answer, long now) {
        List<?> list = (List<?>) answer;
        List<String> pairs = new ArrayList<>();
        for (int i = 0; i < list.size(); i += 2) {
            pairs.add(list.get(i) + until(String.valueOf(list.get(i + 1)), now));
        }
        return String.valueOf(pairs);
    }

    @Override
    public void close() {
        processes.values().forEach(TestProcess::close);
        redis.close();
    }
}
