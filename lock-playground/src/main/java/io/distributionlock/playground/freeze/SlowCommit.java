package io.distributionlock.playground.freeze;

import io.distributionlock.playground.timeline.Shown;
import io.distributionlock.playground.work.ShortWork;
import java.time.Duration;
import org.springframework.stereotype.Component;

/**
 * Makes the moment before a commit long enough to be hit: the work is done, and the lock has looked at its clock for the last time. In
 * an application, few freezes strike there. Do not copy it.
 */
@Component
class SlowCommit {

    static final String SHOWN_AS = "commit";

    @Shown(value = SHOWN_AS, things = 0)
    public void pause(Duration time) {
        ShortWork.run(time);
    }
}
