package io.distributionlock.internal;

import java.util.function.Consumer;

/**
 * A listener that runs at once, on the thread that detects the event, before any other listener. That thread may be the one that
 * renews all locks: the listener must neither block nor call code of the application. For this library; applications pass
 * ordinary listeners.
 *
 * @hidden
 */
@Internal
@FunctionalInterface
public interface ImmediateListener<T> extends Consumer<T> {}
