package io.distributionlock.sample.showcase.order;

import io.distributionlock.sample.showcase.burst.Scenario;
import java.util.List;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** Many users change one order at once. The change takes longer than the others wait, so most are answered busy. */
@Component
class OrderScenario implements Scenario {

    private final JdbcClient database;

    OrderScenario(JdbcClient database) {
        this.database = database;
    }

    @Override
    public String name() {
        return "order-status";
    }

    @Override
    public int requests() {
        return 12;
    }

    @Override
    public void prepare(String run, int requests) {
        database.sql("INSERT INTO orders (order_code, status) VALUES (?, 1)")
                .param(run)
                .update();
    }

    @Override
    public Call call(String run, int number, boolean locked) {
        int status = number % 2 == 0 ? 2 : 3;
        String path = "/test/updateOrderStatus?orderCode=" + run + "&userId=" + (number + 1) + "&status=" + status;
        return Call.of("PUT", locked, path);
    }

    @Override
    public List<Fact> facts(String run, int requests, int done) {
        // The timeline shows whether two requests overlapped.
        return List.of();
    }

    @Override
    public void forget(String run) {
        database.sql("DELETE FROM orders WHERE order_code = ?").param(run).update();
    }
}
