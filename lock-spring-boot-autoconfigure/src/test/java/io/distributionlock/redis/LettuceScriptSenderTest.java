package io.distributionlock.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.doAnswer;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import io.distributionlock.redis.LockCall.ScriptCall;
import io.lettuce.core.RedisConnectionStateListener;
import io.lettuce.core.StatefulRedisConnectionImpl;
import io.lettuce.core.protocol.RedisCommand;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.internal.ThreadExecutorMap;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Who sends what while a connection has just come back; on an event loop whose tasks run when the test says so. */
class LettuceScriptSenderTest {

    private static final Duration LONG = Duration.ofSeconds(20);

    private final PortThreads threads = new PortThreads();
    private final List<Object> dispatched = new CopyOnWriteArrayList<>();
    private final Queue<Runnable> tasks = new ArrayDeque<>();

    @SuppressWarnings("unchecked") // a mock has no type parameters
    private final StatefulRedisConnectionImpl<byte[], byte[]> connection = mock(StatefulRedisConnectionImpl.class);

    private final LettuceScriptSender sender = new LettuceScriptSender(this::link, () -> {}, "nowhere", 60_000);
    private volatile @Nullable RedisConnectionStateListener watcher;
    private @Nullable Runnable duringNextDispatch;

    @AfterEach
    void end() {
        sender.close();
        threads.assertNoneLeft();
    }

    @Test
    void whatComesWhileTheEventLoopSendsIsSentAlthoughTheLoopIsNotUsedAnyMore() {
        connect();
        comeBackOn(eventLoop());
        CompletableFuture<Boolean> first = send();
        assertThat(dispatched).isEmpty();
        CompletableFuture<?>[] second = new CompletableFuture<?>[1];
        duringNextDispatch = () -> {
            second[0] = send();
            comeBack();
        };

        tasks.remove().run();

        assertThat(dispatched).containsExactly(first, second[0]);
    }

    @Test
    void aConnectionThatHasNeverAnsweredIsNotCountedAsOne() {
        assertThat(sender.obstacle()).contains("not connected yet to nowhere");
        connect();
        assertThat(sender.obstacle()).contains("not connected yet to nowhere");

        sender.answered((LettuceScriptCommand<?>) send(), null);
        assertThat(sender.obstacle()).isNull();

        when(connection.isOpen()).thenReturn(false);
        assertThat(sender.obstacle()).contains("lost and not back yet");
    }

    /** The factory that ends next would close it too, and Lettuce warns of a second time. */
    @Test
    void theConnectionIsClosedWhenTheEndReturns() {
        connect();
        Thread ending = Thread.currentThread();
        AtomicBoolean closed = new AtomicBoolean();
        doAnswer(call -> {
                    await().atMost(LONG).until(() -> ending.getState() == Thread.State.TIMED_WAITING);
                    closed.set(true);
                    return null;
                })
                .when(connection)
                .close();
        sender.close();
        assertThat(closed).isTrue();
    }

    @Test
    void aConnectionThatItsFactoryHasClosedIsNotClosedAgain() {
        connect();
        when(connection.isClosed()).thenReturn(true);
        sender.close();
        threads.assertNoneLeft();
        verify(connection, never()).close();
    }

    /** Until calls go out by the thread that makes them. */
    private void connect() {
        await().atMost(LONG).until(() -> {
            CompletableFuture<Boolean> sent = send();
            boolean atOnce = dispatched.contains(sent);
            await().atMost(LONG).until(() -> dispatched.contains(sent));
            return atOnce;
        });
        dispatched.clear();
    }

    private CompletableFuture<Boolean> send() {
        byte[] key = "{name}".getBytes(StandardCharsets.UTF_8);
        return sender.send(new ScriptCall<>(LockScript.LOCKED, 2, List.of(key, key)));
    }

    private void comeBackOn(EventExecutor loop) {
        ThreadExecutorMap.apply(this::comeBack, loop).run();
    }

    private void comeBack() {
        Objects.requireNonNull(watcher).onRedisConnected(connection, new InetSocketAddress(0));
    }

    private EventExecutor eventLoop() {
        EventExecutor loop = mock(EventExecutor.class);
        doAnswer(call -> tasks.add(call.getArgument(0))).when(loop).execute(any());
        return loop;
    }

    @SuppressWarnings("unchecked") // a mock has no type parameters
    private DedicatedConnection link() {
        when(connection.isOpen()).thenReturn(true);
        doAnswer(call -> watcher = call.getArgument(0))
                .when(connection)
                .addListener(any(RedisConnectionStateListener.class));
        when(connection.dispatch(any(RedisCommand.class))).thenAnswer(call -> {
            dispatched.add(call.getArgument(0));
            Runnable meanwhile = duringNextDispatch;
            duringNextDispatch = null;
            if (meanwhile != null) {
                meanwhile.run();
            }
            return call.getArgument(0);
        });
        return DedicatedConnection.over(connection, null);
    }
}
