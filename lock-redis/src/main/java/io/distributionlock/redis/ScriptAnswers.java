package io.distributionlock.redis;

import io.distributionlock.backend.AcquireReply;
import io.distributionlock.backend.RaiseFenceReply;
import io.distributionlock.backend.ReleaseReply;
import io.distributionlock.backend.RenewReply;
import io.distributionlock.internal.ClaimIds;
import io.distributionlock.monitor.LockInspection;
import io.distributionlock.monitor.LockInspection.Inside;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Stream;

/** Parses what the scripts answer, after what they leave to do was taken off. */
final class ScriptAnswers {

    /** For a key without a TTL, which was edited by hand and stays until it is removed. */
    private static final long NO_EXPIRY_MILLIS = Duration.ofDays(1).toMillis();

    /** Begins the answer that a claim of the other sort holds the name. */
    private static final String MIXED = "mixed ";

    private ScriptAnswers() {}

    static boolean yes(String answer) {
        return answer.equals("1");
    }

    static AcquireReply acquire(String answer) {
        if (answer.equals("gone")) {
            return new AcquireReply.Gone();
        }
        if (answer.startsWith(MIXED)) {
            return new AcquireReply.Mixed(answer.substring(MIXED.length()));
        }
        int first = answer.indexOf(' ') + 1;
        int second = answer.indexOf(' ', first) + 1;
        if (second > 0) {
            long one = Long.parseLong(answer, first, second - 1, 10);
            long other = Long.parseLong(answer, second, answer.length(), 10);
            if (answer.startsWith("ok ")) {
                return new AcquireReply.Ok(one, other);
            }
            if (answer.startsWith("still ")) {
                return new AcquireReply.Ok(one, other, true);
            }
            if (answer.startsWith("busy ")) {
                return new AcquireReply.Busy(one < 0 ? NO_EXPIRY_MILLIS : one, other);
            }
        }
        throw unexpected(answer);
    }

    static List<AcquireReply> heartbeat(String answers) {
        return answers.lines().map(ScriptAnswers::acquire).toList();
    }

    /** A word for each claim: whether it holds the lock, and whether others wait as far as is known. */
    static List<RenewReply> renewal(String answer) {
        return Stream.of(answer.split(" "))
                .map(word -> switch (word) {
                    case "held" -> new RenewReply(true, 0);
                    case "wanted" -> new RenewReply(true, 1);
                    case "gone" -> new RenewReply(false, 0);
                    default -> throw unexpected(answer);
                })
                .toList();
    }

    static ReleaseReply release(String answer) {
        return yes(answer) ? ReleaseReply.RELEASED : ReleaseReply.NOT_MINE;
    }

    /** The fencing number; 0 if the claim does not hold the lock. */
    static Long number(String answer) {
        return answer.equals("gone") ? 0 : Long.parseLong(answer);
    }

    static RaiseFenceReply raiseFence(String answer) {
        return switch (answer) {
            case "1" -> RaiseFenceReply.RAISED;
            case "0" -> RaiseFenceReply.NOT_MINE;
            default -> RaiseFenceReply.TOO_YOUNG;
        };
    }

    /** A line of numbers, then one per claim: its role, the milliseconds that are left, and its text, which may contain blanks. */
    static LockInspection inspection(String name, String answer) {
        Iterator<String> lines = answer.lines().iterator();
        String[] numbers = lines.next().split(" ");
        List<Inside> inside = new ArrayList<>();
        List<String> queue = new ArrayList<>();
        while (lines.hasNext()) {
            String[] parts = lines.next().split(" ", 3);
            if (parts[0].equals("waits")) {
                queue.add(parts[2]);
            } else {
                inside.add(inside(parts[2], parts[0].equals("reads"), Long.parseLong(parts[1])));
            }
        }
        return new LockInspection(name, inside, queue, Long.parseLong(numbers[1]), Long.parseLong(numbers[0]));
    }

    private static Inside inside(String claim, boolean shares, long leftMillis) {
        boolean minHold = claim.startsWith(ClaimIds.MIN_HOLD);
        String bare = minHold ? claim.substring(ClaimIds.MIN_HOLD.length()) : claim;
        int permits = ClaimIds.permitsOf(bare);
        return new Inside(
                bare, permits, shares && permits == 0, minHold, leftMillis < 0 ? null : Duration.ofMillis(leftMillis));
    }

    static IllegalStateException unexpected(Object answer) {
        return new IllegalStateException("A lock script answered '" + answer + "', which it never does. "
                + "Check whether a proxy between the application and Redis changes commands.");
    }
}
