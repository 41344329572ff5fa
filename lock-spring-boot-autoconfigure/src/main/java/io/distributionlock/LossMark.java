package io.distributionlock;

import java.util.function.Consumer;

/**
 * What is done about the loss of a lease before anybody is told of it, on the thread that finds it out, which may be the one that
 * renews all locks: must neither block nor call code of the application. For this library; others give {@link Lease#onLost} any
 * other listener.
 */
@FunctionalInterface
public interface LossMark extends Consumer<Lease> {}
