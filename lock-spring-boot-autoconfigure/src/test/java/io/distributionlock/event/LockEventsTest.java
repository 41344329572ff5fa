package io.distributionlock.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.distributionlock.Lease;
import io.distributionlock.Lease.LossReason;
import io.distributionlock.LockOutcome;
import io.distributionlock.LockOwner;
import io.distributionlock.LockRequest;
import io.distributionlock.LockTemplate;
import io.distributionlock.MultiLock;
import io.distributionlock.annotation.DistributionLock;
import io.distributionlock.monitor.LockObserver;
import io.distributionlock.testing.LockContextRunner;
import io.distributionlock.testing.RedisProcess;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationEvent;
import org.springframework.context.PayloadApplicationEvent;
import org.springframework.context.annotation.Bean;
import org.springframework.context.event.ApplicationEventMulticaster;
import org.springframework.context.event.EventListener;
import org.springframework.context.event.SimpleApplicationEventMulticaster;
import org.springframework.core.Ordered;
import org.springframework.core.ResolvableType;
import org.springframework.core.annotation.Order;

/** The events that an application receives about its locks. */
@Tag("boot4")
class LockEventsTest {

    private static final Duration LONG = Duration.ofSeconds(20);

    private final ApplicationContextRunner application =
            LockContextRunner.local(Service.class).withPropertyValues("distribution-lock.events.enabled=true");

    @Test
    void anAnnotatedMethodPublishesItsEventsInOrder() {
        application.withUserConfiguration(Everything.class).run(context -> {
            context.getBean(Service.class).update();
            List<Object> heard = context.getBean(Everything.class).heard;
            await().atMost(LONG).until(() -> heard.size() == 2);
            assertThat(heard.get(0)).isInstanceOfSatisfying(LockAcquiredEvent.class, event -> {
                assertThat(event.lockName()).isEqualTo("order");
                assertThat(event.label()).isEqualTo("order");
            });
            assertThat(heard.get(1))
                    .isInstanceOfSatisfying(
                            LockReleasedEvent.class,
                            event -> assertThat(event.lockName()).isEqualTo("order"));
        });
    }

    @Test
    void anEventShowsTheTokenThatWasDrawnByThen() throws Exception {
        try (RedisProcess redis = RedisProcess.start()) {
            LockContextRunner.redis(redis.port())
                    .withPropertyValues("distribution-lock.events.enabled=true")
                    .withUserConfiguration(Service.class, Everything.class)
                    .run(LockEventsTest::showTheTokenThatWasDrawnByThen);
        }
    }

    private static void showTheTokenThatWasDrawnByThen(ApplicationContext context) {
        LockTemplate template = context.getBean(LockTemplate.class);
        List<Object> heard = context.getBean(Everything.class).heard;
        Lease atOnce = template.acquire(template.request("order").fenced().build());
        Lease later = template.acquire("job");
        long token = later.fencingToken();
        atOnce.release();
        later.release();
        await().atMost(LONG).until(() -> heard.size() == 4);
        assertThat(heard)
                .filteredOn(LockAcquiredEvent.class::isInstance)
                .extracting("fencingToken")
                .containsExactly(atOnce.fencingToken(), 0L);
        assertThat(heard)
                .filteredOn(LockReleasedEvent.class::isInstance)
                .extracting("fencingToken")
                .containsExactly(atOnce.fencingToken(), token);
    }

    @Test
    void programmaticWorkABusyLockAndAForcedReleaseArePublished() {
        application.withUserConfiguration(Everything.class).run(context -> {
            LockTemplate template = context.getBean(LockTemplate.class);
            List<Object> heard = context.getBean(Everything.class).heard;
            template.acquireAsync(template.request("job").label("jobs").build()).join();
            LockRequest single =
                    LockRequest.named("job").tryLockTime(Duration.ZERO).build();
            assertThat(template.acquireAsync(single, LockOwner.unique()).join()).isInstanceOf(LockOutcome.Busy.class);
            assertThat(template.forceRelease("job").join()).isTrue();
            await().atMost(LONG).until(() -> heard.size() == 3);
            assertThat(heard.get(0))
                    .isInstanceOfSatisfying(
                            LockAcquiredEvent.class,
                            event -> assertThat(event.label()).isEqualTo("jobs"));
            assertThat(heard.get(1))
                    .isInstanceOfSatisfying(
                            LockBusyEvent.class,
                            event -> assertThat(event.lockName()).isEqualTo("job"));
            assertThat(heard.get(2)).isEqualTo(new LockForcedEvent("job", true));
        });
    }

    @Test
    void theLossOfALeaseIsPublishedOnceHoweverItWasAcquired() {
        application.withUserConfiguration(Losses.class).run(context -> {
            LockTemplate template = context.getBean(LockTemplate.class);
            template.acquire("acquired");
            template.tryAcquire(template.request("tried").build());
            template.attempt(template.request("attempted").build());
            template.acquireAsync(template.request("asynchronous").build()).join();
            template.lock("viewed").lock();
            assertThat(template.lock("viewed at once").tryLock()).isTrue();
            MultiLock.of(
                            template,
                            List.of(
                                    template.request("one of two").build(),
                                    template.request("two of two").build()))
                    .acquire();
            List<String> names = List.of(
                    "acquired",
                    "tried",
                    "attempted",
                    "asynchronous",
                    "viewed",
                    "viewed at once",
                    "one of two",
                    "two of two");
            names.forEach(name -> assertThat(template.forceRelease(name).join()).isTrue());
            template.execute("executed", () -> template.forceRelease("executed").join());
            List<LockLostEvent> heard = context.getBean(Losses.class).heard;
            List<String> all =
                    Stream.concat(names.stream(), Stream.of("executed")).toList();
            await().atMost(LONG).until(() -> heard.size() >= all.size());
            assertThat(heard).extracting(LockLostEvent::lockName).containsExactlyInAnyOrderElementsOf(all);
        });
    }

    @Test
    void aReleasedLeaseIsNotPublishedAsLost() {
        application.withUserConfiguration(Losses.class).run(context -> {
            LockTemplate template = context.getBean(LockTemplate.class);
            template.acquire("released").release();
            template.acquire("lost");
            template.forceRelease("lost").join();
            List<LockLostEvent> heard = context.getBean(Losses.class).heard;
            await().atMost(LONG).until(() -> !heard.isEmpty());
            assertThat(heard)
                    .singleElement()
                    .extracting(LockLostEvent::lockName)
                    .isEqualTo("lost");
        });
    }

    /** An answer that the lock is gone may overtake the message that it was released by force, but seldom does. */
    @Test
    void aForcedReleaseIsPublishedAsSuch() {
        application.withUserConfiguration(Losses.class).run(context -> {
            LockTemplate template = context.getBean(LockTemplate.class);
            List<LockLostEvent> heard = context.getBean(Losses.class).heard;
            await().atMost(LONG).until(() -> {
                template.acquire("lost");
                template.forceRelease("lost").join();
                return heard.contains(new LockLostEvent("lost", null, LossReason.FORCED));
            });
        });
    }

    @Test
    void aListenerThatThrowsDisturbsNeitherTheWorkNorTheNextEvent() {
        application.withUserConfiguration(Thrower.class).run(context -> {
            assertThat(context.getBean(Service.class).update()).isEqualTo("updated");
            assertThat(context.getBean(Service.class).update()).isEqualTo("updated");
            await().atMost(LONG)
                    .until(() -> context.getBean(Thrower.class).heard.size() == 2);
        });
    }

    @Test
    void listenersOfAParentReceiveTheEventsOfItsChild() {
        application
                .withUserConfiguration(Everything.class)
                .run(parent -> application.withParent(parent).run(context -> {
                    context.getBean(Service.class).update();
                    await().atMost(LONG)
                            .until(() -> parent.getBean(Everything.class).heard.size() == 2);
                }));
    }

    @Test
    void aLossIsPublishedAfterTheAcquisitionOfItsLease() {
        application.withUserConfiguration(Lives.class).run(context -> {
            LockTemplate template = context.getBean(LockTemplate.class);
            List<Object> heard = context.getBean(Lives.class).heard;
            for (int i = 0; i < 50; i++) {
                heard.clear();
                template.acquire("lost");
                template.forceRelease("lost").join();
                await().atMost(LONG).until(() -> heard.size() == 2);
                assertThat(heard.get(0)).isInstanceOf(LockAcquiredEvent.class);
            }
        });
    }

    @Test
    void theMulticasterOfAnApplicationReceivesTheEvents() {
        application.withUserConfiguration(OwnMulticaster.class).run(context -> {
            context.getBean(Service.class).update();
            List<Object> heard = context.getBean(OwnMulticaster.class).heard;
            await().atMost(LONG).until(() -> heard.size() == 2);
        });
    }

    @Test
    void whoAsksForNoEventsGetsLossesAlone() {
        LockContextRunner.local(Service.class)
                .withUserConfiguration(Everything.class, Losses.class)
                .run(context -> {
                    assertThat(context).doesNotHaveBean(LockObserver.class);
                    LockTemplate template = context.getBean(LockTemplate.class);
                    template.acquire("lost");
                    template.forceRelease("lost").join();
                    await().atMost(LONG)
                            .until(() -> context.getBean(Losses.class).heard.size() == 1);
                    assertThat(context.getBean(Everything.class).heard).isEmpty();
                });
    }

    public static class Service {

        @DistributionLock(key = "order")
        public String update() {
            return "updated";
        }
    }

    static class Everything {

        final List<Object> heard = new CopyOnWriteArrayList<>();

        @EventListener({LockAcquiredEvent.class, LockReleasedEvent.class, LockBusyEvent.class, LockForcedEvent.class})
        void hear(Object event) {
            heard.add(event);
        }
    }

    static class Lives {

        final List<Object> heard = new CopyOnWriteArrayList<>();

        @EventListener({LockAcquiredEvent.class, LockLostEvent.class})
        void hear(Object event) {
            heard.add(event);
        }
    }

    static class OwnMulticaster {

        final List<Object> heard = new CopyOnWriteArrayList<>();

        @Bean
        ApplicationEventMulticaster applicationEventMulticaster() {
            return new SimpleApplicationEventMulticaster() {
                @Override
                public void multicastEvent(ApplicationEvent event, @Nullable ResolvableType type) {
                    if (event instanceof PayloadApplicationEvent<?> payload
                            && payload.getPayload().getClass().getPackage() == LockEvents.class.getPackage()) {
                        heard.add(payload.getPayload());
                    }
                    super.multicastEvent(event, type);
                }
            };
        }
    }

    static class Thrower {

        final List<Object> heard = new CopyOnWriteArrayList<>();

        @EventListener
        @Order(Ordered.HIGHEST_PRECEDENCE)
        void hear(LockAcquiredEvent event) {
            heard.add(event);
            throw new IllegalStateException("a listener that fails on purpose");
        }
    }

    static class Losses {

        final List<LockLostEvent> heard = new CopyOnWriteArrayList<>();

        @EventListener
        @Order(Ordered.LOWEST_PRECEDENCE)
        void hear(LockLostEvent event) {
            heard.add(event);
        }
    }
}
