package io.distributionlock.faults;

import io.distributionlock.leader.LeaderElection;
import io.distributionlock.leader.LeaderListener;
import io.distributionlock.leader.LeaderTerm;
import java.time.Duration;

/**
 * A process that stands for election as it is told. Tells of each change as {@code granted TOKEN MILLIS} or {@code revoked TOKEN
 * MILLIS}, and on request until when its lease is valid.
 */
final class ElectionProcess {

    static final String NAME = "it";

    private static final ParentLink PARENT = new ParentLink();

    private ElectionProcess() {}

    /** @param arguments the port of Redis and the lease in milliseconds */
    public static void main(String[] arguments) {
        Instance instance = new Instance(Integer.parseInt(arguments[0]));
        LeaderElection election =
                new LeaderElection(instance.locks(), NAME, Duration.ofMillis(Long.parseLong(arguments[1])));
        election.addListener(new Reporter());
        PARENT.say("ready");
        PARENT.listen(command -> obey(command, instance, election));
    }

    private static void obey(String command, Instance instance, LeaderElection election) {
        switch (command) {
            case "stand" -> {
                election.start();
                instance.awaitAnswers(election.lockName());
                PARENT.say("stands");
            }
            case "stop" -> election.stop();
            case "lease" ->
                PARENT.say("until "
                        + (System.currentTimeMillis()
                                + election.term().orElseThrow().remaining().toMillis()));
            default -> throw new IllegalArgumentException(command);
        }
    }

    private static final class Reporter implements LeaderListener {

        @Override
        public void onGranted(LeaderTerm term) {
            say("granted", term);
        }

        @Override
        public void onRevoked(LeaderTerm term) {
            say("revoked", term);
        }

        private static void say(String what, LeaderTerm term) {
            PARENT.say(what + " " + term.fencingToken() + " " + System.currentTimeMillis());
        }
    }
}
