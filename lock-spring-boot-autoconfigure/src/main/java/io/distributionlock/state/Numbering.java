package io.distributionlock.state;

import io.distributionlock.backend.EngineSettings;
import java.util.ArrayList;
import java.util.List;

/** Those who want the fencing number of an ownership, which one command draws for all of them. */
final class Numbering {

    private final List<Event.Number> requests = new ArrayList<>(1);

    /** When the command is no longer waited for. */
    private long timeoutAt;

    /** @return whether the command is to be sent, because none is under way */
    boolean add(Event.Number request, long now, EngineSettings settings) {
        boolean underWay = !requests.isEmpty() && now < timeoutAt;
        requests.add(request);
        if (!underWay) {
            timeoutAt = Times.after(now, settings.commandTimeoutNanos());
        }
        return !underWay;
    }

    void answer(List<Decision> out) {
        for (Event.Number request : requests) {
            out.add(new Decision.Answer<>(request.result(), request.hold().token()));
        }
    }

    void fail(Throwable cause, List<Decision> out) {
        for (Event.Number request : requests) {
            out.add(new Decision.NotNumbered(request.result(), cause));
        }
    }

    /** The ownership has ended. */
    void end(List<Decision> out) {
        for (Event.Number request : requests) {
            out.add(new Decision.NotNumbered(request.result(), request.over()));
        }
    }
}
