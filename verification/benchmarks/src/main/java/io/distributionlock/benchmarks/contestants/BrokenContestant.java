package io.distributionlock.benchmarks.contestants;

/** Says that it locks, and does not: what the verification of exclusion must find out. */
final class BrokenContestant implements Contestant {

    private final SentCommands sent = new SentCommands();

    @Override
    public Held acquire(String name) {
        return () -> true;
    }

    @Override
    public SentCommands sent() {
        return sent;
    }

    @Override
    public void close() {
        // Nothing was opened.
    }
}
