package io.distributionlock.state;

import io.distributionlock.backend.EngineSettings;
import java.util.ArrayList;
import java.util.List;

/** Those who want the fencing number of an ownership, which one command draws for all of them. */
final class TokenDraw {

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

    /** The number is known, or the ownership has ended without one. */
    void end(List<Decision> out) {
        requests.forEach(request -> request.onUnknownClaim(out));
    }

    void fail(Throwable cause, List<Decision> out) {
        requests.forEach(request -> out.add(new Decision.NotNumbered(request.result(), cause)));
    }
}
