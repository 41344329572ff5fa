package io.distributionlock.engine;

import java.util.concurrent.CompletableFuture;

/** Waits for whether a lease was prolonged. */
final class Extension extends CompletableFuture<Boolean> {}
