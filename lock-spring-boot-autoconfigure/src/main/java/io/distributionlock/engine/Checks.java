package io.distributionlock.engine;

import java.util.ArrayList;
import java.util.List;

/**
 * The questions whether a tenure still stands: one command at a time, however many ask, and apart from renewals, which must not wait
 * for them. Who asks while a command is under way is served by the next one: the answer to that one is of a time before he asked.
 */
final class Checks {

    private List<Extension> waiting = new ArrayList<>(1);
    private boolean underWay;
    private long sentAt;
    private long timeoutAt;

    void ask(Extension question) {
        waiting.add(question);
    }

    boolean isDue() {
        return !underWay && !waiting.isEmpty();
    }

    /** @return those for whom the command is sent */
    List<Extension> sent(long now, EngineSettings settings) {
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

    /** Whoever waits longer than that for an answer is told so by the engine. */
    void timeOut(long now) {
        if (now >= timeoutAt) {
            underWay = false;
        }
    }

    List<Extension> takeWaiting() {
        List<Extension> all = waiting;
        waiting = new ArrayList<>(1);
        return all;
    }

    long due() {
        return underWay ? timeoutAt : Times.NEVER;
    }
}
