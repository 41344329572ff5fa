package io.distributionlock.testing;

import io.distributionlock.Lease;
import java.time.Duration;
import java.util.function.Consumer;

/** A lease that is always valid; a test says how it is released. */
public abstract class HeldLease implements Lease {

    private final String name;

    protected HeldLease(String name) {
        this.name = name;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public long fencingToken() {
        return 1;
    }

    @Override
    public boolean isValid() {
        return true;
    }

    @Override
    public Duration remaining() {
        return Duration.ofSeconds(60);
    }

    @Override
    public boolean extend(Duration holdLockTime) {
        return true;
    }

    @Override
    public void onLost(Consumer<? super Lease> listener) {}
}
