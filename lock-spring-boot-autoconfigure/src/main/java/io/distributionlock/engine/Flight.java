package io.distributionlock.engine;

import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** The latest acquire of a bid, so that it can be dropped if it was not sent yet when the bid is given up. */
final class Flight {

    private volatile @Nullable CompletableFuture<?> answer;
    private volatile boolean dropped;

    void carries(CompletableFuture<?> answer) {
        this.answer = answer;
        if (dropped) {
            answer.cancel(false);
        }
    }

    void drop() {
        dropped = true;
        CompletableFuture<?> latest = answer;
        if (latest != null) {
            latest.cancel(false);
        }
    }
}
