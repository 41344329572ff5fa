package io.distributionlock.messages;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.distributionlock.Lease;
import io.distributionlock.LockDefaults;
import io.distributionlock.LockKind;
import io.distributionlock.LockOwner;
import io.distributionlock.LockRequest;
import io.distributionlock.LockTemplate;
import io.distributionlock.MultiLock;
import io.distributionlock.backend.EngineSettings;
import io.distributionlock.engine.ActiveNames;
import io.distributionlock.local.LocalBackend;
import io.distributionlock.local.LocalLockExecutor;
import io.distributionlock.observation.LocksWebExtension;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;

/** What a caller gets wrong is told by name, and leaves no lock behind. */
class BadInputTest {

    private static final String NAME = "stock";
    private static final Duration HUGE = Duration.ofSeconds(Long.MAX_VALUE, 999_999_999);
    private static final Duration HUGELY_NEGATIVE = Duration.ofSeconds(Long.MIN_VALUE);

    private final LocalLockExecutor executor =
            new LocalLockExecutor(EngineSettings.standard("bad-input"), new LocalBackend());
    private final LockTemplate template = new LockTemplate(executor, LockDefaults.STANDARD);

    @AfterEach
    void close() {
        executor.close();
    }

    private interface Call {
        Object on(LockTemplate template) throws Exception;
    }

    private static Arguments call(String part, Call call) {
        return arguments(part, call);
    }

    private static final String MIXED = "permits is 3, but kind is READ: a name is a lock or has permits, not both";

    static Stream<Arguments> calls() {
        return Stream.of(
                call("name of a lock", t -> t.execute((String) null, () -> 1)),
                call("name of a lock", t -> t.execute("", () -> 1)),
                call("name of a lock", t -> t.execute(" \t", () -> 1)),
                call("surrogate pair", t -> t.execute("a\ud800", () -> 1)),
                call("surrogate pair", t -> t.execute("\udc00a", () -> 1)),
                call("work of LockTemplate.execute", t -> t.execute(NAME, null)),
                call("request of LockTemplate.execute", t -> t.execute((LockRequest) null, () -> 1)),
                call("request of LockTemplate.tryExecute", t -> t.tryExecute(null, () -> 1)),
                call("work of LockTemplate.executeWithoutResult", t -> {
                    t.executeWithoutResult(NAME, null);
                    return "accepted";
                }),
                call("work of LockTemplate.call", t -> t.call(ok(t), null)),
                call("work of LockTemplate.tryCall", t -> t.tryCall(ok(t), null)),
                call("work of LockTemplate.tryExecuteWithoutResult", t -> t.tryExecuteWithoutResult(ok(t), null)),
                call("work of LockTemplate.tryExecute", t -> t.tryExecute(ok(t), (Supplier<?>) null)),
                call("name of a lock", t -> t.acquire((String) null)),
                call("request", t -> t.acquire((LockRequest) null)),
                call("request", t -> t.tryAcquire(null)),
                call("request", t -> t.attempt(null)),
                call("owner", t -> t.attempt(ok(t), null)),
                call("request", t -> t.attempt(null, LockOwner.unique())),
                call("request", t -> t.acquireAsync(null)),
                call("owner", t -> t.acquireAsync(ok(t), null)),
                call("name of a lock", t -> t.forceRelease(null)),
                call("name of a lock", t -> t.forceRelease("")),
                call("surrogate pair", t -> t.forceRelease("\ud83d")),
                call("name of a lock", t -> t.lock(null)),
                call("name of a lock", t -> t.lock(" ")),
                call("kind of lock 'stock'", t -> t.lock(NAME, null)),
                call("name of a lock", t -> t.readWriteLock(null)),
                call("kind", t -> t.request(NAME).kind(null).build()),
                call("tryLockTime", t -> t.request(NAME).tryLockTime(null).build()),
                call(
                        "tryLockTime",
                        t -> t.request(NAME).tryLockTime(Duration.ofMillis(-1)).build()),
                call(
                        "tryLockTime",
                        t -> t.request(NAME).tryLockTime(Duration.ofNanos(-1)).build()),
                call("tryLockTime", t -> t.request(NAME).tryLockTime(HUGE).build()),
                call(
                        "tryLockTime",
                        t -> t.request(NAME).tryLockTime(HUGELY_NEGATIVE).build()),
                call("holdLockTime", t -> t.request(NAME).holdLockTime(null).build()),
                call(
                        "holdLockTime",
                        t -> t.request(NAME).holdLockTime(Duration.ZERO).build()),
                call(
                        "holdLockTime",
                        t -> t.request(NAME)
                                .holdLockTime(Duration.ofNanos(999_999))
                                .build()),
                call("holdLockTime", t -> t.request(NAME).holdLockTime(HUGE).build()),
                call(
                        "holdLockTime",
                        t -> t.request(NAME).holdLockTime(HUGELY_NEGATIVE).build()),
                call("leaseTime", t -> t.request(NAME).renewedLease(null).build()),
                call(
                        "leaseTime",
                        t -> t.request(NAME).renewedLease(HUGELY_NEGATIVE).build()),
                call(
                        "maxHoldTime",
                        t -> t.request(NAME).maxHoldTime(Duration.ZERO).build()),
                call("maxHoldTime", t -> t.request(NAME).maxHoldTime(HUGE).build()),
                call("minHoldTime", t -> t.request(NAME).minHoldTime(null).build()),
                call(
                        "minHoldTime",
                        t -> t.request(NAME).minHoldTime(Duration.ofMillis(-5)).build()),
                call(
                        "minHoldTime",
                        t -> t.request(NAME).minHoldTime(HUGELY_NEGATIVE).build()),
                call(
                        "minHoldTime",
                        t -> t.request(NAME)
                                .minHoldTime(HUGE)
                                .holdLockTime(Duration.ofSeconds(1))
                                .build()),
                call("minHoldTime", t -> t.request(NAME).minHoldTime(HUGE).build()),
                call("permits is 0", t -> t.request(NAME).permits(0).build()),
                call(MIXED, t -> t.request(NAME).kind(LockKind.READ).permits(3).build()),
                call(MIXED, t -> t.request(NAME).permits(3).kind(LockKind.READ).build()),
                call(
                        "kind is REENTRANT",
                        t -> t.request(NAME).kind(LockKind.REENTRANT).permits(3).build()),
                call(
                        "kind is REENTRANT",
                        t -> t.request(NAME).permits(3).kind(LockKind.REENTRANT).build()),
                call("refuseRepeats is null", t -> t.request(NAME).refuseRepeats(null)),
                call("refuseRepeats is 0 ms", t -> t.request(NAME).refuseRepeats(Duration.ZERO)),
                call("refuseRepeats is -1000 ms", t -> t.request(NAME).refuseRepeats(Duration.ofSeconds(-1))),
                call("refuseRepeats", t -> t.request(NAME).refuseRepeats(HUGE)),
                call("onLost", t -> t.request(NAME).onLost(null).build()),
                call("commitGuard", t -> t.request(NAME).commitGuard(null).build()),
                call("label", t -> t.request(NAME).label(null).build()),
                call("tryLockTime", t -> new LockDefaults(null, Duration.ofSeconds(1), null)),
                call("leaseTime", t -> new LockDefaults(Duration.ZERO, null, null)),
                call("executor", t -> new LockTemplate(null, LockDefaults.STANDARD)),
                call("executor", t -> LockTemplate.builder(null).build()),
                call(
                        "defaults",
                        t -> new LockTemplate(
                                new LocalLockExecutor(EngineSettings.standard("x"), new LocalBackend()), null)),
                call("template", t -> MultiLock.of(null, List.of(ok(t)))),
                call("requests", t -> MultiLock.of(t, null)),
                call("at least one request", t -> MultiLock.of(t, List.of())),
                call("request", t -> MultiLock.of(t, Arrays.asList(ok(t), null))),
                call(
                        "work of MultiLock.execute",
                        t -> MultiLock.of(t, List.of(ok(t))).execute((Supplier<?>) null)),
                call(
                        "work of MultiLock.tryExecute",
                        t -> MultiLock.of(t, List.of(ok(t))).tryExecute(null)),
                call("owner", t -> MultiLock.of(t, List.of(ok(t))).attempt(null)),
                call("owner", t -> MultiLock.of(t, List.of(ok(t))).attemptAsync(null)),
                call("holdLockTime", t -> withLease(t, lease -> lease.extend(null))),
                call("holdLockTime", t -> withLease(t, lease -> lease.extend(Duration.ofSeconds(-1)))),
                call("holdLockTime", t -> withLease(t, lease -> lease.extend(HUGE))),
                call("listener", t -> withLease(t, lease -> lease.onLost(null))));
    }

    private static LockRequest ok(LockTemplate template) {
        return template.request(NAME).tryLockTime(Duration.ZERO).build();
    }

    private static Object withLease(LockTemplate template, Consumer<Lease> use) {
        try (Lease lease = template.acquire(NAME)) {
            use.accept(lease);
            return lease;
        }
    }

    @ParameterizedTest(name = "{index} {0}")
    @MethodSource("calls")
    void eachIsRefusedByNameAndNothingStaysLocked(String part, Call call) {
        Throwable thrown = catchThrowable(() -> call.on(template));

        assertThat(thrown).isInstanceOf(IllegalArgumentException.class).hasMessageContaining(part);
        assertThat(MessageRules.faults(thrown.getMessage())).isEmpty();
        assertThat(thrown.getMessage()).endsWith(".").contains(". ");
        assertThat(ActiveNames.of(executor)).isZero();
    }

    @Test
    void permitsGoWithTheirOwnKindAndWithARequestThatNamesNone() {
        LockRequest lock = LockRequest.named(NAME).build();
        assertThat(List.of(
                        LockRequest.named(NAME).kind(LockKind.PERMIT).permits(3).build(),
                        LockRequest.named(NAME).permits(3).kind(LockKind.PERMIT).build(),
                        lock.toBuilder().permits(3).build(),
                        lock.toBuilder().permits(2).build().toBuilder()
                                .permits(3)
                                .build()))
                .containsOnly(LockRequest.named(NAME).permits(3).build());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a\r\nERROR forged",
                "a\u001b[2Jb",
                "a\u2028b",
                "a\u202Eb",
                "a\u0000b",
                "a\u0085b",
                "a\u200Bb",
                "\ud83d\ude00\n"
            })
    void namesThatCouldForgeALineAreLockedAndShownEscaped(String name) throws Exception {
        try (Lease lease = template.acquire(name)) {
            assertThat(MessageRules.faults(lease.toString())).isEmpty();
            assertThat(MessageRules.faults(template.lock(name).toString())).isEmpty();
            assertThat(MessageRules.faults(
                            template.request(name).label(name).build().toString()))
                    .isEmpty();
            LockRequest once = template.request(name).tryLockTime(Duration.ZERO).build();
            Throwable busy = catchThrowable(() ->
                    CompletableFuture.supplyAsync(() -> template.acquire(once)).get());
            assertThat(busy).hasRootCauseInstanceOf(io.distributionlock.LockNotAcquiredException.class);
            assertThat(MessageRules.faults(busy.getCause().getMessage())).isEmpty();
            assertThat(((io.distributionlock.LockNotAcquiredException) busy.getCause()).lockName())
                    .isEqualTo(name);
            Throwable kind = catchThrowable(() -> template.lock(name).newCondition());
            assertThat(MessageRules.faults(kind.getMessage())).isEmpty();
        }
        Throwable notHeld =
                catchThrowable(() -> template.lock(name, LockKind.WRITE).unlock());
        assertThat(MessageRules.faults(notHeld.getMessage())).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "a\ud800"})
    void theEndpointSaysWhichNamesNoLockCanHave(String name) {
        WebEndpointResponse<Map<String, Object>> response =
                new LocksWebExtension(() -> List.of(template)).forceRelease(name, SecurityContext.NONE);
        assertThat(response.getStatus()).isEqualTo(400);
        assertThat(response.getBody()).containsEntry("released", false).containsKey("problem");
    }

    /** With and without a character before: then no pair of surrogates must be cut in two. */
    @ParameterizedTest
    @ValueSource(strings = {"", "a"})
    void aLongNameIsLockedAndCutWhereItIsShownAHugeOneIsRefusedWithWhatToDo(String before) {
        String name = before + "\ud83d\ude00".repeat(2_047) + "aa".substring(before.length());
        try (Lease lease = template.acquire(name)) {
            assertThat(lease.toString()).hasSizeLessThan(700).contains("… (4096 characters)");
            assertThat(MessageRules.faults(lease.toString())).isEmpty();
            assertThat(executor.isLocked(name)).isCompletedWithValue(true);
        }
        for (String longer : List.of(name + "a", name.repeat(250))) {
            Throwable refusal = catchThrowable(() -> template.acquire(longer));
            assertThat(refusal)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("longer than 4096 characters")
                    .hasMessageContaining("Use a shorter one");
            assertThat(refusal.getMessage()).hasSizeLessThan(700);
            assertThat(MessageRules.faults(refusal.getMessage())).isEmpty();
        }
    }
}
