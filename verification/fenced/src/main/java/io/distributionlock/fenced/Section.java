package io.distributionlock.fenced;

import io.distributionlock.LockContext;
import java.util.concurrent.TimeUnit;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.TransactionExecutionListener;

/** What is done under the lock, in one transaction: reads a counter, takes its time, and writes one more, with nothing to check it. */
final class Section implements TransactionExecutionListener {

    private final Counters counters;
    private final JdbcTemplate jdbc;

    Section(Counters counters, JdbcTemplate jdbc) {
        this.counters = counters;
        this.jdbc = jdbc;
    }

    void run(Call call) {
        long token = LockContext.fencingToken();
        call.begin(token);
        long read = counters.read(call.counter);
        rest(call.hold);
        // Before the log, because it keeps the row: so the log of a counter is in the order of the commits. Under the
        // guard of the database it is in any case, so there Hibernate may write when it likes.
        counters.write(call.counter, read + 1, call.guard == Guard.DATABASE);
        jdbc.update(
                "INSERT INTO commits (counter, token, written, attempt) VALUES (?, ?, ?, ?)",
                call.counter,
                token,
                read + 1,
                call.id);
        call.commits();
    }

    /** After the listener of the guards, because it was added later: the worst moment to stand still. */
    @Override
    public void beforeCommit(TransactionExecution transaction) {
        Call call = Call.CURRENT.get();
        if (call != null) {
            rest(call.late);
        }
    }

    static void rest(long millis) {
        try {
            TimeUnit.MILLISECONDS.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
