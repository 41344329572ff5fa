package io.distributionlock.observation;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributionlock.DelegatingLockExecutor;
import io.distributionlock.Lease;
import io.distributionlock.LockDefaults;
import io.distributionlock.LockExecutor;
import io.distributionlock.LockOutcome;
import io.distributionlock.LockOwner;
import io.distributionlock.LockRequest;
import io.distributionlock.LockTemplate;
import io.distributionlock.MultiLock;
import io.distributionlock.ReleaseResult;
import io.distributionlock.local.LocalBackend;
import io.distributionlock.local.LocalLockExecutor;
import io.distributionlock.monitor.DefaultLockObservationConvention;
import io.distributionlock.monitor.LockObservation;
import io.distributionlock.monitor.LockObservationContext;
import io.distributionlock.monitor.LockObserver;
import io.micrometer.common.KeyValues;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.observation.DefaultMeterObservationHandler;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.observation.tck.TestObservationRegistry;
import io.micrometer.observation.tck.TestObservationRegistryAssert;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** Waiting and holding, as Micrometer sees them. */
@ExtendWith(OutputCaptureExtension.class)
class LockObservationsTest {

    private static final Duration LONG = Duration.ofSeconds(20);

    private final TestObservationRegistry observations = TestObservationRegistry.create();
    private final LocalBackend backend = new LocalBackend();

    @AutoClose
    private final LocalLockExecutor executor = new LocalLockExecutor(backend);

    private final LockTemplate template = observedBy(observations);

    private LockTemplate observedBy(ObservationRegistry registry) {
        List<LockObserver> observers = List.of(new LockObservations(registry));
        return new LockTemplate(new ObservedLockExecutor(executor, observers), LockDefaults.STANDARD);
    }

    private static LockRequest single(String name) {
        return LockRequest.named(name).tryLockTime(Duration.ZERO).label("order").build();
    }

    @Test
    void waitingAndHoldingAreObservedWithKeyKindAndOutcomeAndNeverWithTheName() {
        template.acquire(single("order:4711")).release();

        TestObservationRegistryAssert.assertThat(observations)
                .hasNumberOfObservationsEqualTo(2)
                .hasObservationWithNameEqualTo("distribution.lock.wait")
                .that()
                .hasBeenStopped()
                .hasLowCardinalityKeyValue("key", "order")
                .hasLowCardinalityKeyValue("kind", "reentrant")
                .hasLowCardinalityKeyValue("outcome", "acquired")
                .hasContextualNameEqualTo("wait for lock order");
        TestObservationRegistryAssert.assertThat(observations)
                .hasObservationWithNameEqualTo("distribution.lock.hold")
                .that()
                .hasBeenStopped()
                .hasLowCardinalityKeyValue("outcome", "released");
        TestObservationRegistryAssert.assertThat(observations)
                .hasHandledContextsThatSatisfy(contexts -> contexts.forEach(
                        context -> assertThat(context.getAllKeyValues().stream().map(Object::toString))
                                .noneMatch(text -> text.contains("4711"))));
    }

    @Test
    void aBusyACancelledAndAFailedAttemptHaveTheirOutcomes() {
        Lease other = ((LockOutcome.Acquired)
                        executor.acquire(single("order:1"), LockOwner.unique()).join())
                .lease();
        assertThat(template.attempt(single("order:1"))).isInstanceOf(LockOutcome.Busy.class);
        assertOutcome("busy");

        observations.clear();
        CompletableFuture<LockOutcome> waiting = template.acquireAsync(
                single("order:1").toBuilder().tryLockTime(LONG).build());
        assertThat(waiting.cancel(true)).isTrue();
        assertThat(waiting).isCancelled();
        assertOutcome("interrupted");

        observations.clear();
        other.release();
        executor.close();
        assertThat(template.attempt(single("order:1"))).isInstanceOf(LockOutcome.BackendFailed.class);
        assertOutcome("backend_failed");
        TestObservationRegistryAssert.assertThat(observations)
                .hasObservationWithNameEqualTo("distribution.lock.wait")
                .that()
                .hasError();
    }

    private void assertOutcome(String outcome) {
        TestObservationRegistryAssert.assertThat(observations)
                .hasObservationWithNameEqualTo("distribution.lock.wait")
                .that()
                .hasBeenStopped()
                .hasLowCardinalityKeyValue("outcome", outcome);
    }

    /** An executor of the application may grant it nevertheless. */
    @Test
    void aLockThatIsGrantedAfterItsCallerHasEndedTheAttemptIsReleased() {
        CompletableFuture<LockOutcome> late = new CompletableFuture<>() {
            @Override
            public boolean cancel(boolean mayInterruptIfRunning) {
                return false;
            }
        };
        LockExecutor slow = new DelegatingLockExecutor(executor) {
            @Override
            public CompletableFuture<LockOutcome> acquire(LockRequest request, LockOwner owner) {
                return late;
            }
        };
        CompletableFuture<LockOutcome> attempt = new ObservedLockExecutor(
                        slow, List.of(new LockObservations(observations)))
                .acquire(single("order:1"), LockOwner.unique());
        attempt.complete(new LockOutcome.Busy(Duration.ZERO));
        late.complete(executor.acquire(single("order:1"), LockOwner.unique()).join());
        Awaitility.await()
                .atMost(LONG)
                .until(() -> !executor.isLocked("order:1").join());
    }

    /** An answer that the lock is gone may overtake the message that it was released by force, but seldom does. */
    @Test
    void aLostLeaseEndsWithTheReason() {
        Awaitility.await().atMost(LONG).untilAsserted(() -> {
            observations.clear();
            Lease lease = template.acquire(LockRequest.named("order:1").build());
            executor.forceRelease("order:1");
            // No method can return what is asserted on: its type has another name in later versions of Micrometer.
            Awaitility.await()
                    .atMost(LONG)
                    .untilAsserted(() -> TestObservationRegistryAssert.assertThat(observations)
                            .hasObservationWithNameEqualTo("distribution.lock.hold")
                            .that()
                            .hasBeenStopped());
            lease.release();
            TestObservationRegistryAssert.assertThat(observations)
                    .hasObservationWithNameEqualTo("distribution.lock.hold")
                    .that()
                    .hasLowCardinalityKeyValue("key", "none")
                    .hasLowCardinalityKeyValue("outcome", "forced");
            TestObservationRegistryAssert.assertThat(observations).hasNumberOfObservationsEqualTo(2);
        });
    }

    @Test
    void holdingBelongsToTheTraceOfWhoAskedEvenIfAnotherThreadGrantsTheLock() {
        Lease other = ((LockOutcome.Acquired)
                        executor.acquire(single("order:1"), LockOwner.unique()).join())
                .lease();
        Observation request = Observation.start("request", observations);
        CompletableFuture<LockOutcome> waiting;
        try (Observation.Scope scope = request.openScope()) {
            waiting = template.acquireAsync(
                    single("order:1").toBuilder().tryLockTime(LONG).build());
        }
        other.release();
        ((LockOutcome.Acquired) waiting.join()).lease().release();
        request.stop();
        for (String name : List.of("distribution.lock.wait", "distribution.lock.hold")) {
            TestObservationRegistryAssert.assertThat(observations)
                    .hasObservationWithNameEqualTo(name)
                    .that()
                    .hasParentObservationEqualTo(request);
        }
    }

    /** The first look for all of them finds one busy, which is not yet the end of the wait for it. */
    @Test
    void aBusyOneOfSeveralLocksIsPostponed() throws Exception {
        Lease other = ((LockOutcome.Acquired)
                        executor.acquire(single("b"), LockOwner.unique()).join())
                .lease();
        CompletableFuture<MultiLock.Outcome> attempt = MultiLock.of(
                        template,
                        List.of(
                                LockRequest.named("a").build(),
                                LockRequest.named("b").tryLockTime(LONG).build()))
                .attemptAsync(LockOwner.unique());
        Awaitility.await()
                .atMost(LONG)
                .until(() -> executor.snapshot().waiting().size() == 1);
        other.releaseAsync();
        ((MultiLock.Outcome.Acquired) attempt.get(20, TimeUnit.SECONDS)).release();
        TestObservationRegistryAssert.assertThat(observations)
                .hasNumberOfObservationsWithNameEqualTo("distribution.lock.wait", 3)
                .hasNumberOfObservationsWithNameEqualTo("distribution.lock.hold", 2)
                .hasAnObservationWithAKeyValue("outcome", "postponed");
    }

    @Test
    void theNamesAndTagsCanBeReplaced() {
        observations.observationConfig().observationConvention(new DefaultLockObservationConvention() {
            @Override
            public KeyValues getLowCardinalityKeyValues(LockObservationContext context) {
                return super.getLowCardinalityKeyValues(context).and("team", "stock");
            }
        });
        template.acquire(single("order:1")).release();
        TestObservationRegistryAssert.assertThat(observations)
                .hasObservationWithNameEqualTo("distribution.lock.hold")
                .that()
                .hasLowCardinalityKeyValue("team", "stock");
    }

    @Test
    void theTimersHaveExactlyTheDocumentedTags() {
        MeterRegistry meters = new SimpleMeterRegistry();
        ObservationRegistry registry = ObservationRegistry.create();
        registry.observationConfig().observationHandler(new DefaultMeterObservationHandler(meters));
        observedBy(registry).acquire(single("order:1")).release();
        for (LockObservation observation : LockObservation.values()) {
            Timer timer = meters.get(observation.getName()).timer();
            assertThat(timer.count()).isEqualTo(1);
            assertThat(timer.getId().getTags())
                    .extracting(Tag::getKey)
                    .containsExactlyInAnyOrder("key", "kind", "outcome", "error");
        }
    }

    @Test
    void anObservationThatIsSwitchedOffByNameIsNotMade(CapturedOutput output) {
        observations
                .observationConfig()
                .observationPredicate((name, context) -> !name.equals("distribution.lock.hold"));
        template.acquire(single("order:1")).release();
        TestObservationRegistryAssert.assertThat(observations).hasNumberOfObservationsEqualTo(1);
        assertThat(output.getAll()).doesNotContain("An observer of locks failed");
    }

    @Test
    void whatAnObservationThrowsIsLoggedAndDoesNotAffectTheLock(CapturedOutput output) {
        observations.observationConfig().observationHandler(new ObservationHandler<Observation.Context>() {
            @Override
            public void onStop(Observation.Context context) {
                throw new NoClassDefFoundError("on purpose");
            }

            @Override
            public boolean supportsContext(Observation.Context context) {
                return true;
            }
        });
        Lease lease = template.acquire(single("order:1"));
        assertThat(lease.release()).isEqualTo(ReleaseResult.RELEASED);
        assertThat(template.acquire(single("order:1")).release()).isEqualTo(ReleaseResult.RELEASED);
        assertThat(output).contains("An observer of locks failed");
    }

    @Test
    void whereNothingIsObservedNothingIsMadeForACall() {
        AtomicInteger asked = new AtomicInteger();
        ObservationRegistry withoutHandlers = ObservationRegistry.create();
        withoutHandlers
                .observationConfig()
                .observationConvention(new DefaultLockObservationConvention() {
                    @Override
                    public boolean supportsContext(Observation.Context context) {
                        asked.incrementAndGet();
                        return super.supportsContext(context);
                    }
                })
                .observationPredicate((name, context) -> {
                    asked.incrementAndGet();
                    return true;
                });
        for (ObservationRegistry idle : List.of(ObservationRegistry.NOOP, withoutHandlers)) {
            Lease lease = observedBy(idle).acquire(single("order:1"));
            assertThat(lease).isNotInstanceOf(ObservedLease.class);
            lease.release();
        }
        assertThat(asked).hasValue(0);

        withoutHandlers.observationConfig().observationHandler(context -> true);
        observedBy(withoutHandlers).acquire(single("order:1")).release();
        assertThat(asked).as("by a registry that observes").hasPositiveValue();
    }
}
