package io.distributionlock.sample.showcase.cart;

import io.distributionlock.sample.showcase.burst.Scenario;
import java.util.List;
import org.springframework.stereotype.Component;

/** Checks out one cart many times at once, each time in three nested steps. */
@Component
class CartScenario implements Scenario {

    private final Carts carts;

    CartScenario(Carts carts) {
        this.carts = carts;
    }

    @Override
    public String name() {
        return "re-entry";
    }

    @Override
    public int requests() {
        return 16;
    }

    @Override
    public Call call(String run, int number, boolean locked) {
        return Call.of("POST", locked, "/carts/" + run + "/checkouts");
    }

    @Override
    public List<Fact> facts(String run, int requests, int done) {
        return List.of(new Fact("checkouts", done, carts.checkoutsOf(run)));
    }
}
