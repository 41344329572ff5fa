package io.distributionlock.benchmarks.micro;

import io.distributionlock.annotation.DistributionLock;
import io.distributionlock.annotation.DistributionLockParam;
import java.util.concurrent.CompletableFuture;

/** The methods that are called with their locks, and by their bare class without. */
class LockedService {

    static final String KEY = "updateOrderStatus";

    private final Integer result = 1;
    private final CompletableFuture<Integer> futureResult = CompletableFuture.completedFuture(1);

    @DistributionLock(key = KEY)
    Integer update(@DistributionLockParam String order, Integer user, Integer status) {
        return result;
    }

    @DistributionLock(key = KEY)
    CompletableFuture<Integer> updateLater(@DistributionLockParam String order, Integer user, Integer status) {
        return futureResult;
    }

    @DistributionLock(key = KEY)
    Integer byThree(
            @DistributionLockParam String order,
            @DistributionLockParam Integer user,
            @DistributionLockParam Long status) {
        return result;
    }

    @DistributionLock(key = KEY)
    Integer byAccessor(@DistributionLockParam(path = "code") Order order) {
        return result;
    }

    @DistributionLock(key = KEY)
    Integer byNestedGetter(@DistributionLockParam(path = "buyer.number") Order order) {
        return result;
    }

    @DistributionLock(key = KEY + ":#{#order.code}")
    Integer byExpression(Order order) {
        return result;
    }
}
