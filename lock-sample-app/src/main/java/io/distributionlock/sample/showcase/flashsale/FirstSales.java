package io.distributionlock.sample.showcase.flashsale;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import org.springframework.boot.ApplicationArguments;
import org.springframework.boot.ApplicationRunner;
import org.springframework.stereotype.Component;

/** Adds three sales to a new database: one running, one that has not started, one that has ended. */
@Component
class FirstSales implements ApplicationRunner {

    private static final int STOCK = 100;
    private static final Duration LONG = Duration.ofDays(3650);

    private final Sales sales;
    private final Clock clock = Clock.systemUTC();

    FirstSales(Sales sales) {
        this.sales = sales;
    }

    @Override
    public void run(ApplicationArguments arguments) {
        Instant now = clock.instant();
        sales.addIfAbsent(new Sale("tea", STOCK, now, now.plus(LONG)));
        sales.addIfAbsent(new Sale("coffee", STOCK, now.plus(LONG), now.plus(LONG.multipliedBy(2))));
        sales.addIfAbsent(new Sale("cocoa", STOCK, now.minus(LONG), now));
    }
}
