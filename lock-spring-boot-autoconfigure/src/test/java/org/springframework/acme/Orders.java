package org.springframework.acme;

import io.distributionlock.LockContext;
import io.distributionlock.annotation.DistributionLock;

/** A bean of an application that took a package below Spring's. */
public class Orders {

    @DistributionLock(key = "orders")
    public boolean isLocked() {
        return LockContext.isHeld();
    }
}
