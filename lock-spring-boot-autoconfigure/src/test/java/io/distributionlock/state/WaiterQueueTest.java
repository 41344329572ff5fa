package io.distributionlock.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributionlock.LockOwner;
import io.distributionlock.LockRequest;
import io.distributionlock.backend.EngineSettings;
import java.util.NoSuchElementException;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Who waits keeps its place, whoever leaves. */
class WaiterQueueTest {

    private final AnswerTimeout timeout = new AnswerTimeout(EngineSettings.standard("me"));
    private final WaiterQueue queue = new WaiterQueue();

    private Waiter waiter() {
        LockRequest request = LockRequest.named("order").build();
        return new Waiter(request, LockOwner.unique(), new CompletableFuture<>(), 0, timeout);
    }

    private Waiter added() {
        Waiter waiter = waiter();
        queue.add(waiter);
        return waiter;
    }

    @Test
    void theOthersKeepTheirOrder() {
        Waiter[] all = Stream.generate(this::added).limit(6).toArray(Waiter[]::new);
        assertThat(queue.remove(all[3])).isTrue();
        assertThat(queue.remove(all[0])).isTrue();
        assertThat(queue.remove(all[5])).isTrue();
        Waiter later = added();
        for (Waiter expected : new Waiter[] {all[1], all[2], all[4], later}) {
            assertThat(queue.peek()).isSameAs(expected);
            assertThat(queue.removeFirst()).isSameAs(expected);
        }
        assertThat(queue.isEmpty()).isTrue();
        assertThat(queue.peek()).isNull();
        assertThatThrownBy(queue::removeFirst).isInstanceOf(NoSuchElementException.class);
    }

    @Test
    void whoDoesNotWaitHereCannotLeave() {
        Waiter waiter = added();
        assertThat(queue.remove(waiter())).isFalse();
        assertThat(new WaiterQueue().remove(waiter)).isFalse();
        assertThat(queue.remove(waiter)).isTrue();
        assertThat(queue.remove(waiter)).isFalse();
        assertThat(queue.isEmpty()).isTrue();
    }

    @Test
    void whoHasLeftMayWaitAgain() {
        Waiter one = added();
        Waiter other = added();
        queue.remove(one);
        queue.add(one);
        assertThat(queue.removeFirst()).isSameAs(other);
        assertThat(queue.removeFirst()).isSameAs(one);
    }
}
