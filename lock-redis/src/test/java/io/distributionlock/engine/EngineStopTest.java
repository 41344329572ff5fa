package io.distributionlock.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.distributionlock.LockOutcome;
import io.distributionlock.LockOwner;
import io.distributionlock.LockRequest;
import io.distributionlock.backend.CommandPort;
import io.distributionlock.backend.EngineSettings;
import io.distributionlock.backend.ReleaseReply;
import io.distributionlock.model.ModelBackend;
import io.distributionlock.model.ModelPort;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A stop waits for holders on other threads. */
class EngineStopTest {

    private final LockEngine engine =
            LockEngine.start(ModelPort.connect(new ModelBackend(), "me"), EngineSettings.standard("me"));

    @AfterEach
    void end() {
        engine.stop(Duration.ZERO);
    }

    @Test
    void whileHoldersFinishNobodyElseAcquires() {
        EngineLease lease = VirtualEngine.lease(acquire("name"));
        CompletableFuture<Void> stop = CompletableFuture.runAsync(() -> engine.stop(Duration.ofMinutes(1)));
        await().until(engine::isStopped);
        assertThat(acquire("other")).isCompletedWithValueMatching(LockOutcome.BackendFailed.class::isInstance);
        assertThat(stop).isNotDone();
        lease.release();
        await().until(stop::isDone);
    }

    @Test
    void whileHoldersFinishTheyReEnter() {
        LockOwner holder = LockOwner.unique();
        EngineLease outer = VirtualEngine.lease(acquire("name", holder));
        CompletableFuture<Void> stop = CompletableFuture.runAsync(() -> engine.stop(Duration.ofMinutes(1)));
        await().until(engine::isStopped);
        EngineLease inner = VirtualEngine.lease(acquire("name", holder));
        assertThat(inner.isValid()).isTrue();
        inner.release();
        outer.release();
        await().until(stop::isDone);
    }

    /** A port that is closed may lose what is on its way. */
    @Test
    void whatIsReleasedIsAnsweredBeforeThePortIsClosed() {
        List<String> happened = new CopyOnWriteArrayList<>();
        CompletableFuture<ReleaseReply> released = new CompletableFuture<>();
        CommandPort model = ModelPort.connect(new ModelBackend(), "slow");
        CommandPort port = (CommandPort) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {CommandPort.class}, (proxy, method, arguments) -> {
                    boolean releases = method.getName().startsWith("release");
                    if (releases || method.getName().equals("close")) {
                        happened.add(method.getName());
                    }
                    return releases ? released : method.invoke(model, arguments);
                });
        LockEngine slow =
                LockEngine.start(port, EngineSettings.standard("slow").withCommandTimeout(Duration.ofMinutes(1)));
        VirtualEngine.lease(slow.acquire(LockRequest.named("name").build(), LockOwner.unique()));

        CompletableFuture<Void> stop = CompletableFuture.runAsync(() -> slow.stop(Duration.ZERO));
        await().until(() -> !happened.isEmpty());
        happened.add("answered");
        released.complete(ReleaseReply.RELEASED);
        await().until(stop::isDone);
        assertThat(happened).hasSize(3).endsWith("answered", "close");
    }

    private CompletableFuture<LockOutcome> acquire(String name) {
        return acquire(name, LockOwner.unique());
    }

    private CompletableFuture<LockOutcome> acquire(String name, LockOwner owner) {
        return engine.acquire(
                LockRequest.named(name).tryLockTime(Duration.ofMinutes(1)).build(), owner);
    }
}
