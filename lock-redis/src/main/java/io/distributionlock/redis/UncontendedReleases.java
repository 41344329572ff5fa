package io.distributionlock.redis;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiFunction;

/**
 * Deletes the owner key if it holds a claim alone: by the server's own command where there is one, otherwise by a script.
 *
 * <p>Which command the server has, the user may send and the client can read is found out by trying, once for each connection.
 */
final class UncontendedReleases {

    private final ScriptCalls calls;
    private final ScriptSender sender;
    private final AtomicBoolean wereTried = new AtomicBoolean();
    private volatile BiFunction<String, String, LockCall<Boolean>> command;

    UncontendedReleases(ScriptCalls calls, ScriptSender sender) {
        this.calls = calls;
        this.sender = sender;
        this.command = calls::releaseUncontended;
    }

    void reconnected() {
        wereTried.set(false);
    }

    /** Tries the commands for a claim that holds nothing: so an answer that cannot be read does no harm. */
    void tryCommands(String name, String claim) {
        if (wereTried.compareAndSet(false, true)) {
            tryToUse(calls::delex, name, claim);
            tryToUse(calls::delifeq, name, claim);
        }
    }

    private void tryToUse(BiFunction<String, String, LockCall<Boolean>> tried, String name, String claim) {
        sender.send(tried.apply(name, claim)).thenRun(() -> command = tried);
    }

    /** Answers whether the claim held the lock and nobody was known to wait. */
    CompletableFuture<Boolean> send(String name, String claim) {
        return sender.send(command.apply(name, claim));
    }

    /** Whether the server has refused and so changed nothing. From then on the script does it, until the next connection. */
    boolean isRefused(Throwable failure) {
        boolean refused = RedisErrorExplanations.isReply(failure);
        if (refused) {
            command = calls::releaseUncontended;
        }
        return refused;
    }
}
