package io.distributionlock.consumer;

import io.distributionlock.Lease;
import io.distributionlock.LockKind;
import io.distributionlock.LockOutcome;
import io.distributionlock.LockRequest;
import io.distributionlock.LockTemplate;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.boot.CommandLineRunner;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.stereotype.Component;

/**
 * Locks as the lines of its standard input say, and answers a line to each: so two processes with two versions of the library meet, as
 * in a rolling update. Each line begins with the name of a hold, or of what is asked for, and so does its answer.
 */
@Component
@ConditionalOnProperty("partner")
class Partner implements CommandLineRunner {

    private final LockTemplate locks;
    private final StringRedisTemplate redis;
    private final Map<String, Lease> leases = new ConcurrentHashMap<>();

    Partner(LockTemplate locks, StringRedisTemplate redis) {
        this.locks = locks;
        this.redis = redis;
    }

    @Override
    public void run(String... arguments) throws Exception {
        System.out.println("[partner] ready");
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            String[] words = line.split(" ");
            // An attempt that waits must not keep the next line waiting.
            Thread thread = new Thread(() -> say(words[0], answer(words)));
            thread.setDaemon(true);
            thread.start();
        }
    }

    private String answer(String[] words) {
        return switch (words[1]) {
            case "acquire" -> acquire(words[0], request(words));
            case "release" ->
                Objects.requireNonNull(leases.remove(words[0]), words[0])
                        .release()
                        .name();
            case "token" -> String.valueOf(lease(words[0]).fencingToken());
            case "valid" -> String.valueOf(lease(words[0]).isValid());
            case "force" -> String.valueOf(locks.forceRelease(words[2]).join());
            case "queued" -> String.valueOf(redis.opsForZSet().zCard("distribution-lock:{" + words[2] + "}:queue"));
            default -> "UNKNOWN";
        };
    }

    private Lease lease(String hold) {
        return Objects.requireNonNull(leases.get(hold), hold);
    }

    /** The name, the kind or so many permits, the time to wait, the lease, the minimum hold time. */
    private static LockRequest request(String[] words) {
        LockRequest.Builder request = LockRequest.named(words[2])
                .tryLockTime(Duration.parse(words[4]))
                .renewedLease(Duration.parse(words[5]))
                .minHoldTime(Duration.parse(words[6]));
        return (words[3].matches("\\d+")
                        ? request.permits(Integer.parseInt(words[3]))
                        : request.kind(LockKind.valueOf(words[3])))
                .build();
    }

    private String acquire(String hold, LockRequest request) {
        LockOutcome outcome = locks.attempt(request);
        if (outcome instanceof LockOutcome.Acquired acquired) {
            leases.put(hold, acquired.lease());
            return "ACQUIRED";
        }
        return ((LockOutcome.NotAcquired) outcome).reason().name();
    }

    private static void say(String what, String answer) {
        System.out.println("[partner] " + what + " " + answer);
    }
}
