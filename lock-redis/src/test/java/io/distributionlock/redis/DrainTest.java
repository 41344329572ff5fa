package io.distributionlock.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.doAnswer;
import static org.mockito.Mockito.mock;

import io.netty.util.concurrent.EventExecutor;
import io.netty.util.internal.ThreadExecutorMap;
import java.util.ArrayDeque;
import java.util.Queue;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What is wanted while it sends, or before. */
@Tag("boot4")
class DrainTest {

    private final Drain drain = new Drain(this::send);
    private Runnable during = () -> {};
    private int begun;
    private int ended;

    private void send() {
        assertThat(begun).as("one after the other").isEqualTo(ended);
        begun++;
        Runnable once = during;
        during = () -> {};
        once.run();
        ended++;
    }

    @Test
    void whatIsWantedWhileItSendsIsLookedForAfterwards() {
        during = drain::require;
        drain.require();
        assertThat(ended).isEqualTo(2);
        drain.require();
        assertThat(ended).isEqualTo(3);
    }

    @Test
    void onTheEventLoopManyWantsAreOneTask() {
        Queue<Runnable> tasks = new ArrayDeque<>();
        EventExecutor loop = mock(EventExecutor.class);
        doAnswer(call -> tasks.add(call.getArgument(0))).when(loop).execute(any());
        ThreadExecutorMap.apply(drain::useEventLoopOfThisThread, loop).run();
        drain.require();
        drain.require();
        assertThat(ended).isZero();
        assertThat(tasks).hasSize(1);
        during = drain::require;
        tasks.remove().run();
        assertThat(ended).isEqualTo(2);
        assertThat(tasks).isEmpty();
    }

    @Test
    void afterAFailureItSendsAgain() {
        during = () -> {
            begun--;
            throw new IllegalStateException("once");
        };
        assertThatIllegalStateException().isThrownBy(drain::require);
        drain.require();
        assertThat(ended).isEqualTo(1);
    }
}
