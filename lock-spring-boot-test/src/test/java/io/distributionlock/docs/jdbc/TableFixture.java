package io.distributionlock.docs.jdbc;

import io.distributionlock.LockExecutor;
import io.distributionlock.test.contract.LockFixture;
import java.util.ArrayList;
import java.util.List;
import org.h2.jdbcx.JdbcConnectionPool;
import org.springframework.jdbc.core.JdbcTemplate;

/** Executors that share a database in memory. */
final class TableFixture implements LockFixture {

    private final JdbcConnectionPool connections = JdbcConnectionPool.create("jdbc:h2:mem:locks", "", "");
    private final JdbcTemplate jdbc = new JdbcTemplate(connections);
    private final List<TableLockExecutor> processes = new ArrayList<>();

    TableFixture() {
        LockTable.create(jdbc);
    }

    @Override
    public LockExecutor newProcess() {
        TableLockExecutor process = new TableLockExecutor(jdbc);
        processes.add(process);
        return process;
    }

    @Override
    public boolean tellsLossReasons() {
        return false;
    }

    @Override
    public List<String> traces(String name) {
        List<String> traces = new ArrayList<>(new LockTable(jdbc, "").traces(name));
        traces.addAll(jdbc.queryForList("select process from lock_queue where name = ?", String.class, name));
        return traces;
    }

    @Override
    public void close() {
        processes.forEach(TableLockExecutor::close);
        connections.dispose();
    }
}
