package io.distributionlock.sample.showcase.flashsale;

import io.distributionlock.sample.showcase.burst.Scenario;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.springframework.stereotype.Component;

/** A third as many items as requests; each user sends two requests, to two instances. */
@Component
class FlashSaleScenario implements Scenario {

    private final Sales sales;
    private final Clock clock = Clock.systemUTC();

    FlashSaleScenario(Sales sales) {
        this.sales = sales;
    }

    @Override
    public String name() {
        return "flash-sale";
    }

    @Override
    public int requests() {
        return 30;
    }

    @Override
    public void prepare(String run, int requests) {
        Instant now = clock.instant();
        sales.addIfAbsent(new Sale(run, stock(requests), now.minusSeconds(1), now.plus(Duration.ofHours(1))));
    }

    @Override
    public Call call(String run, int number, boolean locked) {
        int userId = number / 2 + 1;
        return Call.of("POST", locked, "/flash-sales/" + run + "/orders?userId=" + userId);
    }

    @Override
    public List<Fact> facts(String run, int requests, int done) {
        int users = (requests + 1) / 2;
        return List.of(
                new Fact("sold", Math.min(stock(requests), users), sales.countOrders(run)),
                new Fact("boughtTwice", 0, sales.countUsersWithSeveralOrders(run)));
    }

    @Override
    public void forget(String run) {
        sales.remove(run);
    }

    private static int stock(int requests) {
        return Math.max(1, requests / 3);
    }
}
