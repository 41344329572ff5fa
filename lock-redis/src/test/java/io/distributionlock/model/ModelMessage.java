package io.distributionlock.model;

import io.distributionlock.backend.CommandListener;
import io.distributionlock.internal.ClaimIds;
import java.util.function.Consumer;

/** A message to one process about a command of any process. */
record ModelMessage(String instance, Consumer<CommandListener> content) {

    static ModelMessage granted(String name, String claim) {
        return new ModelMessage(ClaimIds.instanceOf(claim), listener -> listener.granted(name, claim));
    }

    static ModelMessage revoked(String name, String claim) {
        return new ModelMessage(ClaimIds.instanceOf(claim), listener -> listener.revoked(name, claim));
    }
}
