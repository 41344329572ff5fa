package io.distributionlock.sample.showcase.transfer;

import java.util.List;
import org.springframework.boot.ApplicationArguments;
import org.springframework.boot.ApplicationRunner;
import org.springframework.stereotype.Component;

/** Adds a few accounts to a new database. */
@Component
class FirstAccounts implements ApplicationRunner {

    private static final long BALANCE = 100_000;

    private final Accounts accounts;

    FirstAccounts(Accounts accounts) {
        this.accounts = accounts;
    }

    @Override
    public void run(ApplicationArguments arguments) {
        List.of("alice", "bob", "carol").forEach(name -> accounts.addIfAbsent(new Account(name, BALANCE)));
    }
}
