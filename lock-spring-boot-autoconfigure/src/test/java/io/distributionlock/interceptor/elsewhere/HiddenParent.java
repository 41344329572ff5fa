package io.distributionlock.interceptor.elsewhere;

import io.distributionlock.annotation.DistributionLock;

/** Has a locked method that a class of another package cannot override. */
public class HiddenParent {

    @DistributionLock(key = "hidden")
    void work() {}
}
