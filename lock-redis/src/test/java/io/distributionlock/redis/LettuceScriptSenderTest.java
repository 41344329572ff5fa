package io.distributionlock.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyCollection;
import static org.mockito.Mockito.doAnswer;
import static org.mockito.Mockito.doThrow;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import io.distributionlock.internal.Pipeline;
import io.distributionlock.redis.LockCall.ScriptCall;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisConnectionStateListener;
import io.lettuce.core.StatefulRedisConnectionImpl;
import io.lettuce.core.protocol.RedisCommand;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.internal.ThreadExecutorMap;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Who sends what, and what leaves together; on an event loop whose tasks run when the test says so. */
@Tag("server")
@Tag("boot4")
class LettuceScriptSenderTest {

    private static final Duration LONG = Duration.ofSeconds(20);

    private final PortThreads threads = new PortThreads();
    private final List<Object> dispatched = new CopyOnWriteArrayList<>();
    private final List<List<Object>> together = new ArrayList<>();
    private final Queue<Runnable> tasks = new ArrayDeque<>();

    @SuppressWarnings("unchecked") // a mock has no type parameters
    private final StatefulRedisConnectionImpl<byte[], byte[]> connection = mock(StatefulRedisConnectionImpl.class);

    private final LettuceScriptSender sender =
            new LettuceScriptSender(this::link, () -> {}, "nowhere", SettingNames.OF_SPRING, 60_000);
    private volatile @Nullable RedisConnectionStateListener watcher;
    private @Nullable Runnable duringNextDispatch;

    @SuppressWarnings("NullAway.Init") // once it is connected
    private volatile DedicatedConnection link;

    @AfterEach
    void end() {
        sender.close();
        threads.assertNoneLeft();
    }

    @Test
    void whatComesWhileTheEventLoopSendsIsSentAlthoughTheLoopIsNotUsedAnyMore() {
        connect();
        answerOn(eventLoop());
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
    void commandsOfDifferentCallersLeaveInOrderFourAtATime() {
        connect();
        answerOn(eventLoop());
        List<Object> sent = new ArrayList<>();
        for (int call = 0; call < 10; call++) {
            sent.add(send());
        }
        assertThat(tasks).hasSize(1);
        assertThat(dispatched).isEmpty();

        tasks.remove().run();

        assertThat(together).containsExactly(sent.subList(0, 4), sent.subList(4, 8), sent.subList(8, 10));
        assertThat(tasks).isEmpty();
    }

    @Test
    void whatIsSentAtTheSameTimeStaysTogether() {
        connect();
        answerOn(eventLoop());
        List<Object> sent = new ArrayList<>(List.of(send()));
        Pipeline.of(() -> {
            for (int call = 0; call < 7; call++) {
                sent.add(send());
            }
        });

        tasks.remove().run();

        assertThat(together).containsExactly(sent);
    }

    @Test
    void whatAnEndedEventLoopHasNotSentIsSentByTheNextConnection() {
        connect();
        answerOn(eventLoop());
        CompletableFuture<Boolean> left = send();
        assertThat(dispatched).isEmpty();

        // Its client was shut down; the next call connects anew.
        when(connection.isClosed()).thenReturn(true);
        CompletableFuture<Boolean> next = send();

        await().atMost(LONG).untilAsserted(() -> assertThat(dispatched).containsExactly(left, next));
    }

    @Test
    void aLoopThatAcceptsNoTasksIsDoneWithout() {
        connect();
        EventExecutor ended = mock(EventExecutor.class);
        doThrow(new RejectedExecutionException()).when(ended).execute(any());
        answerOn(ended);

        CompletableFuture<Boolean> sent = send();

        assertThat(dispatched).containsExactly(sent);
    }

    @Test
    void aConnectionThatHasNeverAnsweredIsNotCountedAsOne() {
        assertThat(sender.diagnosis()).asString().contains("not connected yet to nowhere");
        connect();
        assertThat(sender.diagnosis()).asString().contains("not connected yet to nowhere");

        sender.answered((LettuceScriptCommand<?>) send(), link, null);
        assertThat(sender.diagnosis()).isNull();

        when(connection.isOpen()).thenReturn(false);
        assertThat(sender.diagnosis()).asString().contains("lost and not back yet");
    }

    /** It may have to answer so many before that a question waits for long. */
    @Test
    @SuppressWarnings("unchecked") // a mock has no type parameters
    void aConnectionThatAnswersOtherCommandsIsNotReplaced() {
        StatefulRedisConnectionImpl<byte[], byte[]> second = mock(StatefulRedisConnectionImpl.class);
        AtomicBoolean ended = new AtomicBoolean();
        when(second.isOpen()).thenReturn(true);
        when(second.dispatch(any(RedisCommand.class))).thenAnswer(call -> {
            RedisCommand<?, ?, ?> question = call.getArgument(0);
            question.complete();
            return question;
        });
        doAnswer(call -> {
                    ended.set(true);
                    return null;
                })
                .when(second)
                .close();
        AtomicInteger opened = new AtomicInteger();
        LettuceScriptSender busy = new LettuceScriptSender(
                () -> opened.getAndIncrement() == 0 ? link() : DedicatedConnection.over(second, null),
                () -> {},
                "nowhere",
                SettingNames.OF_SPRING,
                100);
        try {
            CompletableFuture<Boolean> connecting = busy.send(call());
            await().atMost(LONG).until(() -> dispatched.contains(connecting));
            CompletableFuture<Boolean> silent = busy.send(call());
            LettuceScriptCommand<Boolean> other = (LettuceScriptCommand<Boolean>) busy.send(call());
            await().atMost(LONG).until(() -> {
                busy.answered(other, link, null);
                return ended.get();
            });
            CompletableFuture<Boolean> next = busy.send(call());

            assertThat(silent).isNotDone();
            assertThat(dispatched).contains(silent, next);
        } finally {
            busy.close();
        }
    }

    /** Lettuce would keep each question until Redis is back, however long that takes. */
    @Test
    void aConnectionThatIsLostIsAskedNothing() {
        AtomicInteger opened = new AtomicInteger();
        LettuceScriptSender waiting = new LettuceScriptSender(
                () -> {
                    if (opened.getAndIncrement() == 0) {
                        DedicatedConnection lost = link();
                        when(connection.isOpen()).thenReturn(false);
                        return lost;
                    }
                    throw new IllegalStateException("refused");
                },
                () -> {},
                "nowhere",
                SettingNames.OF_SPRING,
                100);
        try {
            await().atMost(LONG).until(() -> {
                waiting.send(call());
                return opened.get() > 1;
            });
            assertThat(dispatched).isEmpty();
        } finally {
            waiting.close();
        }
    }

    /** So that an acknowledgement over it is not taken for one of the earlier writes. */
    @Test
    @SuppressWarnings("unchecked") // a mock has no type parameters
    void anotherConnectionIsKnownAsSuchByTheTimeThatItIsUsed() {
        StatefulRedisConnectionImpl<byte[], byte[]> second = mock(StatefulRedisConnectionImpl.class);
        when(second.isOpen()).thenReturn(true);
        when(second.dispatch(any(RedisCommand.class))).thenAnswer(call -> {
            RedisCommand<?, ?, ?> question = call.getArgument(0);
            question.complete();
            return question;
        });
        AtomicInteger opened = new AtomicInteger();
        AtomicReference<LettuceScriptSender> replacing = new AtomicReference<>();
        AtomicLong known = new AtomicLong();
        replacing.set(new LettuceScriptSender(
                () -> opened.getAndIncrement() == 0 ? link() : DedicatedConnection.over(second, null),
                () -> known.set(replacing.get().epoch()),
                "nowhere",
                SettingNames.OF_SPRING,
                100));
        try {
            CompletableFuture<Boolean> connecting = replacing.get().send(call());
            await().atMost(LONG).until(() -> dispatched.contains(connecting));
            replacing.get().send(call());
            await().atMost(LONG).until(() -> known.get() != 0);
            assertThat(replacing.get().epoch()).isEqualTo(known.get());
        } finally {
            replacing.get().close();
        }
    }

    @Test
    void aConnectionThatWasLostIsAnotherWhenItIsBack() {
        connect();
        long before = sender.epoch();
        comeBack();
        assertThat(sender.epoch()).isNotEqualTo(before);
    }

    /** The factory that ends next would close it too, and Lettuce warns of a second time. */
    @Test
    void theConnectionIsClosedWhenTheEndReturns() {
        connect();
        Thread ending = Thread.currentThread();
        AtomicBoolean closed = new AtomicBoolean();
        doAnswer(call -> {
                    awaitThatItWaits(ending);
                    closed.set(true);
                    return null;
                })
                .when(connection)
                .close();
        long began = System.nanoTime();
        sender.close();
        assertTrueUnlessLate(closed, began, LockConnection.MAX_CLOSE);
    }

    /** The client that its factory shuts down next would leave such a connection half open, and never say so. */
    @Test
    void theEndWaitsForAConnectionThatIsBeingOpened() {
        Thread ending = Thread.currentThread();
        CompletableFuture<Void> connecting = new CompletableFuture<>();
        CompletableFuture<Void> ends = new CompletableFuture<>();
        AtomicBoolean established = new AtomicBoolean();
        LettuceScriptSender ended = new LettuceScriptSender(
                () -> {
                    connecting.complete(null);
                    ends.orTimeout(LONG.toSeconds(), TimeUnit.SECONDS).join();
                    awaitThatItWaits(ending);
                    established.set(true);
                    return link();
                },
                () -> {},
                "nowhere",
                SettingNames.OF_SPRING,
                60_000);
        ended.send(call());
        assertThat(connecting).succeedsWithin(LONG);
        ends.complete(null);
        long began = System.nanoTime();
        ended.close();
        assertTrueUnlessLate(established, began, LockConnection.MAX_LAST_OPENING);
        await().atMost(LONG).untilAsserted(() -> verify(connection).close());
    }

    @Test
    void aConnectionThatItsFactoryHasClosedIsNotClosedAgain() {
        connect();
        when(connection.isClosed()).thenReturn(true);
        sender.close();
        threads.assertNoneLeft();
        verify(connection, never()).close();
    }

    /** On a machine that stands still, the end rightly does not wait for longer. */
    private static void assertTrueUnlessLate(AtomicBoolean done, long began, Duration patience) {
        boolean late = System.nanoTime() - began >= patience.toNanos();
        assertThat(done.get() || late).isTrue();
    }

    private static void awaitThatItWaits(Thread ending) {
        await().atMost(LONG)
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(1))
                .until(() -> ending.getState() == Thread.State.TIMED_WAITING);
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
        return sender.send(call());
    }

    private static ScriptCall<Boolean> call() {
        byte[] key = "{name}".getBytes(StandardCharsets.UTF_8);
        return new ScriptCall<>(LockScript.LOCKED, 2, List.of(key, key), "1"::equals);
    }

    private void answerOn(EventExecutor loop) {
        LettuceScriptCommand<?> asked = (LettuceScriptCommand<?>) send();
        ThreadExecutorMap.apply(() -> sender.answered(asked, link, null), loop).run();
        dispatched.clear();
    }

    private void comeBack() {
        Objects.requireNonNull(watcher).onRedisDisconnected(connection);
        watcher.onRedisConnected(connection, new InetSocketAddress(0));
    }

    private EventExecutor eventLoop() {
        EventExecutor loop = mock(EventExecutor.class);
        doAnswer(call -> tasks.add(call.getArgument(0))).when(loop).execute(any());
        return loop;
    }

    @SuppressWarnings("unchecked") // a mock has no type parameters
    private DedicatedConnection link() {
        when(connection.isOpen()).thenReturn(true);
        when(connection.isClosed()).thenReturn(false);
        when(connection.getOptions()).thenReturn(ClientOptions.create());
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
        when(connection.dispatch(anyCollection())).thenAnswer(call -> {
            List<Object> commands = List.copyOf(call.getArgument(0));
            together.add(commands);
            dispatched.addAll(commands);
            return commands;
        });
        link = DedicatedConnection.over(connection, null);
        return link;
    }
}
