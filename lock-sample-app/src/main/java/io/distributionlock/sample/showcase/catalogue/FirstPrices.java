package io.distributionlock.sample.showcase.catalogue;

import org.springframework.boot.ApplicationArguments;
import org.springframework.boot.ApplicationRunner;
import org.springframework.stereotype.Component;

/** Adds an item to a new database. */
@Component
class FirstPrices implements ApplicationRunner {

    private static final long NET = 500;

    private final Prices prices;

    FirstPrices(Prices prices) {
        this.prices = prices;
    }

    @Override
    public void run(ApplicationArguments arguments) {
        prices.addIfAbsent("tea", NET);
    }
}
