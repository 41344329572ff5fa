package io.distributionlock.playground;

import java.sql.SQLException;
import java.util.List;
import java.util.UUID;
import org.h2.tools.Server;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/** A database that belongs to a test and outlives the instances that use it. */
public final class TestDatabase implements AutoCloseable {

    private final Server server;
    private final String url;
    private final JdbcClient client;

    private TestDatabase(Server server) {
        this.server = server;
        this.url = "jdbc:h2:tcp://localhost:" + server.getPort() + "/mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1";
        this.client = JdbcClient.create(new DriverManagerDataSource(url));
    }

    public static TestDatabase start() {
        try {
            return new TestDatabase(
                    Server.createTcpServer("-tcpPort", "0", "-ifNotExists").start());
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    public String url() {
        return url;
    }

    public JdbcClient client() {
        return client;
    }

    /** The work log of this order, in the order of writing. */
    public List<WorkLine> workOn(String work) {
        return client.sql(
                        "SELECT order_code, instance, thread, event FROM order_work_log WHERE order_code = ? ORDER BY seq")
                .param(work)
                .query(WorkLine.class)
                .list();
    }

    /** The work log of all orders. */
    public List<WorkLine> work() {
        return client.sql("SELECT order_code, instance, thread, event FROM order_work_log ORDER BY seq")
                .query(WorkLine.class)
                .list();
    }

    @Override
    public void close() {
        client.sql("SHUTDOWN").update();
        server.stop();
    }

    /** One line of the work log. */
    public record WorkLine(String orderCode, String instance, String thread, String event) {

        boolean isEntry() {
            return event.equals("ENTERED");
        }

        String worker() {
            return instance + "/" + thread;
        }
    }
}
