package io.distributionlock;

import java.util.function.Consumer;

/**
 * A listener that runs at once, on the thread that detects the event, before any other listener. That thread may be the one that
 * renews all locks: the listener must neither block nor call code of the application. For this library; applications pass
 * ordinary listeners.
 */
@FunctionalInterface
public interface LossMark<T> extends Consumer<T> {}
