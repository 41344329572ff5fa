package io.distributionlock.engine;

import io.distributionlock.backend.AcquireReply;
import io.distributionlock.backend.CommandListener;
import io.distributionlock.backend.CommandPort;
import io.distributionlock.backend.RenewReply;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** A port for tests that only release. */
abstract class NothingButReleases implements CommandPort {

    @Override
    public void attach(CommandListener listener) {}

    @Override
    public CompletableFuture<AcquireReply> acquire(String name, String claim, long leaseMillis, boolean wait) {
        throw new UnsupportedOperationException();
    }

    @Override
    public List<CompletableFuture<RenewReply>> renew(List<Renewal> renewals) {
        throw new UnsupportedOperationException();
    }

    @Override
    public CompletableFuture<Boolean> isLocked(String name) {
        throw new UnsupportedOperationException();
    }

    @Override
    public CompletableFuture<Boolean> forceRelease(String name) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void listen() {}

    @Override
    public void close() {}
}
