package io.distributionlock.local;

import io.distributionlock.engine.CommandListener;
import java.util.function.Consumer;

/** A message to one process about a command of any process. */
record Message(String instance, Consumer<CommandListener> content) {

    static Message granted(String name, String claim, long fence) {
        return new Message(Claims.instanceOf(claim), listener -> listener.granted(name, claim, fence));
    }

    static Message revoked(String name, String claim) {
        return new Message(Claims.instanceOf(claim), listener -> listener.revoked(name, claim));
    }
}
