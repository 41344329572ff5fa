package io.distributionlock.playground.burst;

import java.time.Duration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The scenarios of the page. */
@Configuration(proxyBeanMethods = false)
class Scenarios {

    private static final Scenario.Expected NONE = (requests, done) -> 0;
    private static final Scenario.Expected DONE = (requests, done) -> done;

    /** Many users change one order at once. The change takes longer than the others wait, so most are answered busy. */
    @Bean
    Scenario orderStatus() {
        return Scenario.of(
                        "order-status",
                        12,
                        number -> "PUT /test/updateOrderStatus?orderCode={run}&userId=" + (number + 1) + "&status="
                                + (2 + number % 2))
                .prepare("INSERT INTO orders (order_code, status) VALUES (:run, 1)")
                .fact("changes", DONE, "SELECT changes FROM orders WHERE order_code = :run")
                .clean("DELETE FROM orders WHERE order_code = :run");
    }

    /** A third as many items as requests; each user sends two requests, to two instances. */
    @Bean
    Scenario flashSale() {
        return Scenario.of("flash-sale", 30, number -> "POST /flash-sales/{run}/orders?userId=" + (number / 2 + 1))
                .value("stock", Scenarios::stock)
                .prepare("INSERT INTO flash_sales (item, stock, starts_at, ends_at) VALUES (:run, :stock,"
                        + " CURRENT_TIMESTAMP - INTERVAL '1' MINUTE, CURRENT_TIMESTAMP + INTERVAL '1' HOUR)")
                .fact(
                        "sold",
                        (requests, done) -> Math.min(stock(requests), (requests + 1) / 2),
                        "SELECT COUNT(*) FROM flash_sale_orders WHERE item = :run")
                .fact(
                        "boughtTwice",
                        NONE,
                        "SELECT COUNT(*) FROM (SELECT user_id FROM flash_sale_orders WHERE item = :run"
                                + " GROUP BY user_id HAVING COUNT(*) > 1) AS several")
                .clean("DELETE FROM flash_sale_orders WHERE item = :run")
                .clean("DELETE FROM flash_sales WHERE item = :run");
    }

    /** All requests announce the same turn at once. */
    @Bean
    Scenario scheduledJob() {
        return Scenario.of("scheduled-job", 12, number -> "POST /job-runs?turn={run}")
                .fact("runs", (requests, done) -> 1, "SELECT COUNT(*) FROM job_runs WHERE turn = :run");
    }

    /** Many requests at once add the first address of one new user. */
    @Bean
    Scenario defaultAddress() {
        return Scenario.of("default-address", 24, number -> "POST /addresses?userId={user}&street=" + (number + 1))
                .fact("addresses", DONE, "SELECT COUNT(*) FROM addresses WHERE user_id = :user")
                .fact(
                        "defaults",
                        (requests, done) -> 1,
                        "SELECT COUNT(*) FROM addresses WHERE user_id = :user AND is_default");
    }

    /** Visitors arrive one by one, faster than they are served, and there are places for two thirds of them. */
    @Bean
    Scenario fairQueue() {
        return Scenario.of("fair-queue", 24, number -> "POST /queues/{run}/tickets?visitor=" + (number + 1))
                .gap(Duration.ofMillis(15))
                .queue("queue:{run}")
                .value("places", Scenarios::places)
                .prepare("INSERT INTO queues (queue, places) VALUES (:run, :places)")
                .fact("places", (requests, done) -> places(requests), "SELECT COUNT(*) FROM tickets WHERE queue = :run")
                .fact("samePlace", NONE, "SELECT COUNT(*) - COUNT(DISTINCT place) FROM tickets WHERE queue = :run")
                // Visitors are numbered in the order in which they arrived.
                .fact(
                        "overtaken",
                        NONE,
                        "SELECT COUNT(*) FROM tickets AS late WHERE queue = :run AND EXISTS (SELECT 1 FROM tickets AS early"
                                + " WHERE early.queue = late.queue AND early.place < late.place"
                                + " AND CAST(early.visitor AS INTEGER) > CAST(late.visitor AS INTEGER))")
                .clean("DELETE FROM tickets WHERE queue = :run")
                .clean("DELETE FROM queues WHERE queue = :run");
    }

    /** Every sixth request writes; the others read. */
    @Bean
    Scenario catalogue() {
        return Scenario.of(
                        "catalogue",
                        30,
                        number -> number % 6 == 2
                                ? "PUT /catalogue/{run}?net=" + 500 * (number + 1)
                                : "GET /catalogue/{run}")
                .gap(Duration.ofMillis(3))
                .prepare("INSERT INTO catalogue (item, net, gross, torn_reads) VALUES (:run, 500, 600, 0)")
                .fact("torn", NONE, "SELECT torn_reads FROM catalogue WHERE item = :run")
                .clean("DELETE FROM catalogue WHERE item = :run");
    }

    /** Three accounts pay each other at once in all directions: no deadlock, and no cent lost or created. */
    @Bean
    Scenario transfer() {
        return Scenario.of(
                        "transfer",
                        24,
                        number -> "POST /transfers?from={run}" + account(number) + "&to={run}"
                                // Alternates between the two other accounts, so that each pair pays both ways.
                                + account(number + 1 + number / 3 % 2) + "&amount=" + (100 + number))
                .prepare("INSERT INTO accounts (account, balance) VALUES"
                        + " (:run || 'a', 100000), (:run || 'b', 100000), (:run || 'c', 100000)")
                .fact(
                        "money",
                        (requests, done) -> 300_000,
                        "SELECT SUM(balance) FROM accounts WHERE account LIKE :run || '_'")
                .clean("DELETE FROM accounts WHERE account LIKE :run || '_'");
    }

    /** Some imports for one supplier. Meanwhile the page kills the second instance while it holds the lock. */
    @Bean
    Scenario takeover() {
        // There are no facts to count: the timeline shows whether two imports overlapped.
        return Scenario.of("takeover", 6, number -> "POST /suppliers/{run}/imports");
    }

    /** Issues many invoices for one order at once. Meanwhile the page kills one of the three servers. */
    @Bean
    Scenario threeMasters() {
        return Scenario.of("three-masters", 24, number -> "POST /orders/{run}/invoices")
                .fact(
                        "sameNumber",
                        NONE,
                        "SELECT COUNT(*) - COUNT(DISTINCT number) FROM invoices WHERE order_code = :run")
                .fact(
                        "numberLeftOut",
                        NONE,
                        "SELECT COALESCE(MAX(number), 0) - COUNT(DISTINCT number) FROM invoices"
                                + " WHERE order_code = :run")
                .clean("DELETE FROM invoices WHERE order_code = :run");
    }

    private static int stock(int requests) {
        return Math.max(1, requests / 3);
    }

    private static int places(int requests) {
        return Math.max(1, requests * 2 / 3);
    }

    private static char account(int number) {
        return (char) ('a' + number % 3);
    }
}
