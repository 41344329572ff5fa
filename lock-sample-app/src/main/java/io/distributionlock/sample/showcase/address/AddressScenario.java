package io.distributionlock.sample.showcase.address;

import io.distributionlock.sample.showcase.burst.Scenario;
import java.util.List;
import org.springframework.stereotype.Component;

/** Many requests at once add the first address of one new user. */
@Component
class AddressScenario implements Scenario {

    private final Addresses addresses;

    AddressScenario(Addresses addresses) {
        this.addresses = addresses;
    }

    @Override
    public String name() {
        return "default-address";
    }

    @Override
    public int requests() {
        return 24;
    }

    @Override
    public Call call(String run, int number, boolean locked) {
        return Call.of("POST", locked, "/addresses?userId=" + userOf(run) + "&street=" + (number + 1));
    }

    @Override
    public List<Fact> facts(String run, int requests, int done) {
        return List.of(
                new Fact("addresses", done, addresses.count(userOf(run))),
                new Fact("defaults", 1, addresses.countDefaults(userOf(run))));
    }

    /** The names of runs begin with the time, so each run has a user of its own. */
    private static int userOf(String run) {
        return 1_000_000_000 + Math.floorMod(run.hashCode(), 1_000_000_000);
    }
}
