package io.distributionlock.sample.showcase.catalogue;

import io.distributionlock.sample.showcase.burst.Scenario;
import java.time.Duration;
import java.util.List;
import org.springframework.stereotype.Component;

/** Every sixth request writes; the others read. */
@Component
class CatalogueScenario implements Scenario {

    private static final int WRITES_EVERY = 6;
    private static final long NET = 500;

    private final Prices prices;

    CatalogueScenario(Prices prices) {
        this.prices = prices;
    }

    @Override
    public String name() {
        return "catalogue";
    }

    @Override
    public int requests() {
        return 30;
    }

    @Override
    public Duration gap() {
        return Duration.ofMillis(3);
    }

    @Override
    public void prepare(String run, int requests) {
        prices.addIfAbsent(run, NET);
    }

    @Override
    public Call call(String run, int number, boolean locked) {
        return number % WRITES_EVERY == 2
                ? Call.of("PUT", locked, "/catalogue/" + run + "?net=" + NET * (number + 1))
                : Call.of("GET", locked, "/catalogue/" + run);
    }

    @Override
    public List<Fact> facts(String run, int requests, int done) {
        return List.of(new Fact("torn", 0, prices.tornReads(run)));
    }

    @Override
    public void forget(String run) {
        prices.remove(run);
    }
}
