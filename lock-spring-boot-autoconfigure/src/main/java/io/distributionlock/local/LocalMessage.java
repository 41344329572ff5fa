package io.distributionlock.local;

import io.distributionlock.backend.ClaimIds;
import io.distributionlock.backend.CommandListener;
import java.util.function.Consumer;

/** A message to one process about a command of any process. */
record LocalMessage(String instance, Consumer<CommandListener> content) {

    static LocalMessage granted(String name, String claim) {
        return new LocalMessage(ClaimIds.instanceOf(claim), listener -> listener.granted(name, claim));
    }

    static LocalMessage revoked(String name, String claim) {
        return new LocalMessage(ClaimIds.instanceOf(claim), listener -> listener.revoked(name, claim));
    }
}
