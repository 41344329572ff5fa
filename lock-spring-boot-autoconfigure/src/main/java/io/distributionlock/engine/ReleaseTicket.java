package io.distributionlock.engine;

import io.distributionlock.ReleaseResult;
import java.util.concurrent.CompletableFuture;

/** Waits for what a release comes to. */
final class ReleaseTicket extends CompletableFuture<ReleaseResult> {}
