package io.distributionlock.faults;

import io.distributionlock.LockOutcome;
import io.distributionlock.LockRequest;
import io.distributionlock.quorum.QuorumMode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The program of a second process: takes a lock over several servers, again and again, and says what it saw. */
final class QuorumProcess {

    private QuorumProcess() {}

    /** Ports, separated by commas; the name of the lock; how many turns. */
    public static void main(String[] arguments) {
        ParentLink parent = new ParentLink();
        List<Integer> ports =
                Stream.of(arguments[0].split(",")).map(Integer::valueOf).toList();
        QuorumInstance instance = new QuorumInstance(QuorumMode.MAJORITY, Duration.ZERO, ports).warmedUp();
        parent.say("ready");
        parent.listen(line -> turns(instance, arguments[1], Integer.parseInt(arguments[2]), "child")
                .forEach(turn -> parent.say("turn " + turn.toLine())));
    }

    /** Takes and releases the lock so often; failures are no turns. */
    static List<Turn> turns(QuorumInstance instance, String name, int count, String who) {
        List<Turn> turns = new ArrayList<>();
        LockRequest request = LockRequest.named(name)
                .tryLockTime(Duration.ofSeconds(60))
                .renewedLease(Duration.ofSeconds(10))
                .build();
        while (turns.size() < count) {
            long calledAt = System.nanoTime();
            if (instance.locks().attempt(request) instanceof LockOutcome.Acquired acquired) {
                ObservedLease lease = new ObservedLease(acquired.lease(), who, calledAt);
                lease.isValid();
                lease.release();
                turns.add(lease.turn());
            }
        }
        return turns;
    }
}
