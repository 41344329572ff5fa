package io.distributionlock.playground.work;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/**
 * Logs who entered and left the work on an order, in one numbered list for all instances. Each line is committed at
 * once and on its own, so that it remains if the work fails. Two lines ENTERED for the same work without a LEFT between
 * them mean that two worked at the same time, which the lock prevents, or that an instance was killed at work.
 */
@Component
public class WorkLog {

    private final JdbcClient database;
    private final String instance;

    WorkLog(JdbcClient database, @Value("${playground.instance:localhost}") String instance) {
        this.database = database;
        this.instance = instance;
    }

    /** The work begins: the code of the order, with a prefix ({@code invoice:}) if another lock guards the work. */
    public void entered(String work) {
        write(work, "ENTERED");
    }

    /** The work has ended. */
    public void left(String work) {
        write(work, "LEFT");
    }

    private void write(String work, String event) {
        database.sql("INSERT INTO order_work_log (order_code, instance, thread, event) VALUES (?, ?, ?, ?)")
                .params(work, instance, Thread.currentThread().getName(), event)
                .update();
    }
}
