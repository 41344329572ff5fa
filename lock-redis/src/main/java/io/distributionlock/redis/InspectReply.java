package io.distributionlock.redis;

import io.distributionlock.internal.ClaimIds;
import io.distributionlock.monitor.LockInspection;
import io.distributionlock.monitor.LockInspection.Inside;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/** The answer of the verb inspect: a line of numbers, then one line per claim. */
record InspectReply(List<Inside> inside, List<String> queue, long waiting, long lastFence) {

    static InspectReply parse(String answer) {
        Iterator<String> lines = answer.lines().iterator();
        String[] numbers = lines.next().split(" ");
        List<Inside> inside = new ArrayList<>();
        List<String> queue = new ArrayList<>();
        while (lines.hasNext()) {
            // The role of the claim, its remaining milliseconds, and the claim, which may contain blanks.
            String[] parts = lines.next().split(" ", 3);
            if (parts[0].equals("waits")) {
                queue.add(parts[2]);
            } else {
                inside.add(inside(parts[2], parts[0].equals("reads"), Long.parseLong(parts[1])));
            }
        }
        return new InspectReply(inside, queue, Long.parseLong(numbers[1]), Long.parseLong(numbers[0]));
    }

    private static Inside inside(String claim, boolean shares, long leftMillis) {
        boolean minHold = claim.startsWith(ClaimIds.MIN_HOLD);
        String bare = minHold ? claim.substring(ClaimIds.MIN_HOLD.length()) : claim;
        int permits = ClaimIds.permitsOf(bare);
        return new Inside(
                bare, permits, shares && permits == 0, minHold, leftMillis < 0 ? null : Duration.ofMillis(leftMillis));
    }

    LockInspection of(String name) {
        return new LockInspection(name, inside, queue, waiting, lastFence);
    }
}
