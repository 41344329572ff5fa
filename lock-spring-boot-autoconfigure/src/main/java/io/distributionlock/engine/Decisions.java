package io.distributionlock.engine;

import java.util.ArrayList;
import java.util.List;

/** What the states of several names want to be done, name by name. */
final class Decisions {

    record Share(String name, List<Decision> decisions) {}

    private final List<Share> shares = new ArrayList<>();

    List<Decision> of(String name) {
        Share share = new Share(name, new ArrayList<>(2));
        shares.add(share);
        return share.decisions();
    }

    List<Share> shares() {
        return shares;
    }
}
