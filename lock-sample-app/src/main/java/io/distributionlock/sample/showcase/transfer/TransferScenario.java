package io.distributionlock.sample.showcase.transfer;

import io.distributionlock.sample.showcase.burst.Scenario;
import java.util.List;
import org.springframework.stereotype.Component;

/** Three accounts pay each other at once in all directions: without deadlock, and without losing or creating a cent. */
@Component
class TransferScenario implements Scenario {

    private static final List<String> NAMES = List.of("a", "b", "c");
    private static final long BALANCE = 100_000;

    private final Accounts accounts;

    TransferScenario(Accounts accounts) {
        this.accounts = accounts;
    }

    @Override
    public String name() {
        return "transfer";
    }

    @Override
    public int requests() {
        return 24;
    }

    @Override
    public void prepare(String run, int requests) {
        NAMES.forEach(name -> accounts.addIfAbsent(new Account(run + name, BALANCE)));
    }

    @Override
    public Call call(String run, int number, boolean locked) {
        int from = number % NAMES.size();
        // Alternates between the two other accounts, so that each pair pays both ways.
        int to = (from + 1 + number / NAMES.size() % 2) % NAMES.size();
        String path =
                "/transfers?from=" + run + NAMES.get(from) + "&to=" + run + NAMES.get(to) + "&amount=" + (100 + number);
        return Call.of("POST", locked, path);
    }

    @Override
    public List<Fact> facts(String run, int requests, int done) {
        long sum =
                accounts.startingWith(run).stream().mapToLong(Account::balance).sum();
        return List.of(new Fact("money", BALANCE * NAMES.size(), sum));
    }

    @Override
    public void forget(String run) {
        NAMES.forEach(name -> accounts.remove(run + name));
    }
}
