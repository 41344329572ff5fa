package org.springframework.acme;

import io.distributionlock.LockContext;
import io.distributionlock.annotation.DistributionLock;
import io.distributionlock.event.LockAcquiredEvent;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.context.ApplicationListener;
import org.springframework.context.PayloadApplicationEvent;

/** A bean of an application that took a package below Spring's. */
public class Orders {

    @DistributionLock(key = "orders")
    public boolean isLocked() {
        return LockContext.isHeld();
    }

    /** What else such an application may have there. */
    public static class Listener implements ApplicationListener<PayloadApplicationEvent<LockAcquiredEvent>> {

        public final AtomicInteger heard = new AtomicInteger();

        @Override
        public void onApplicationEvent(PayloadApplicationEvent<LockAcquiredEvent> event) {
            heard.incrementAndGet();
        }
    }
}
