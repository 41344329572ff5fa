package io.distributionlock.state;

import io.distributionlock.backend.EngineSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Confirms on request that a claim still owns the lock. One command at a time serves all requests; it is apart from renewals, which
 * must not wait for it. Requests that come while a command is under way need the next one: its answer may be older than they are.
 */
final class ConfirmationChecks {

    private List<CompletableFuture<Boolean>> waiting = new ArrayList<>(1);
    private boolean underWay;
    private long sentAt;
    private long timeoutAt;

    void add(CompletableFuture<Boolean> confirmation) {
        waiting.add(confirmation);
    }

    boolean isDue() {
        return !underWay && !waiting.isEmpty();
    }

    /** @return the confirmations that the command serves */
    List<CompletableFuture<Boolean>> sent(long now, EngineSettings settings) {
        underWay = true;
        sentAt = now;
        timeoutAt = Times.after(now, settings.commandTimeoutNanos());
        return takeWaiting();
    }

    void settled(long commandSentAt) {
        if (commandSentAt == sentAt) {
            underWay = false;
        }
    }

    /** Makes room for the next command. The engine completes confirmations that have waited too long. */
    void timeOut(long now) {
        if (now >= timeoutAt) {
            underWay = false;
        }
    }

    List<CompletableFuture<Boolean>> takeWaiting() {
        List<CompletableFuture<Boolean>> all = waiting;
        waiting = new ArrayList<>(1);
        return all;
    }

    long due() {
        return underWay ? timeoutAt : Times.NEVER;
    }
}
