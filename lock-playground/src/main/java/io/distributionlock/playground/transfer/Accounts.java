package io.distributionlock.playground.transfer;

import java.util.List;
import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** The accounts in the database. */
@Repository
class Accounts {

    private final JdbcClient database;

    Accounts(JdbcClient database) {
        this.database = database;
    }

    /** The accounts whose names have this prefix. */
    List<Account> startingWith(String prefix) {
        return database.sql("SELECT account, balance FROM accounts WHERE LEFT(account, ?) = ? ORDER BY account")
                .params(prefix.length(), prefix)
                .query(Account.class)
                .list();
    }

    Optional<Account> find(String account) {
        return database.sql("SELECT account, balance FROM accounts WHERE account = ?")
                .param(account)
                .query(Account.class)
                .optional();
    }

    void save(Account account) {
        database.sql("UPDATE accounts SET balance = ? WHERE account = ?")
                .params(account.balance(), account.account())
                .update();
    }
}
