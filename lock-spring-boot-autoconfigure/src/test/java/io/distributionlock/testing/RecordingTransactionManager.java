package io.distributionlock.testing;

import java.util.List;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.DefaultTransactionStatus;

/** Writes down when a transaction begins and how it ends; there is no database. */
public class RecordingTransactionManager extends AbstractPlatformTransactionManager {

    private final transient List<String> events;

    public RecordingTransactionManager(List<String> events) {
        this.events = events;
    }

    @Override
    protected Object doGetTransaction() {
        return new Object();
    }

    @Override
    protected void doBegin(Object transaction, TransactionDefinition definition) {
        events.add("begin");
    }

    @Override
    protected void doCommit(DefaultTransactionStatus status) {
        events.add("commit");
    }

    @Override
    protected void doRollback(DefaultTransactionStatus status) {
        events.add("rollback");
    }
}
