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
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationListener;
import org.springframework.context.PayloadApplicationEvent;
import org.springframework.context.event.EventListener;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/** The events that an application receives about its locks. */
@Tag("boot4")
class LockEventsTest {

    private static final Duration LONG = Duration.ofSeconds(20);

    private final ApplicationContextRunner application = LockContextRunner.local(Service.class);

    @Test
    void anAnnotatedMethodPublishesItsEventsInOrder() {
        application.withUserConfiguration(Everything.class).run(context -> {
            context.getBean(Service.class).update();
            List<Object> heard = context.getBean(Everything.class).heard;
            await().atMost(LONG).until(() -> heard.size() == 2);
            assertThat(heard.get(0)).isInstanceOfSatisfying(LockAcquiredEvent.class, event -> {
                assertThat(event.lockName()).isEqualTo("order");
                assertThat(event.label()).isEqualTo("order");
                assertThat(event.fencingToken()).isZero();
            });
            assertThat(heard.get(1))
                    .isInstanceOfSatisfying(
                            LockReleasedEvent.class,
                            event -> assertThat(event.fencingToken()).isZero());
        });
    }

    @Test
    void anEventShowsTheTokenThatWasDrawnByThen() {
        application.withUserConfiguration(Everything.class).run(context -> {
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
        });
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
    void aListenerThatThrowsDisturbsNeitherTheWorkNorTheNextEventNorTheNextListener() {
        application.withUserConfiguration(Thrower.class, Second.class).run(context -> {
            assertThat(context.getBean(Service.class).update()).isEqualTo("updated");
            assertThat(context.getBean(Service.class).update()).isEqualTo("updated");
            await().atMost(LONG)
                    .until(() -> context.getBean(Thrower.class).heard.size() == 2
                            && context.getBean(Second.class).heard.size() == 2);
        });
    }

    @Test
    void aListenerThatThrowsKeepsALossFromNoOther() {
        application.withUserConfiguration(ThrowerAtLosses.class, Losses.class).run(context -> {
            LockTemplate template = context.getBean(LockTemplate.class);
            template.acquire("lost");
            template.forceRelease("lost").join();
            await().atMost(LONG).until(() -> context.getBean(Losses.class).heard.size() == 1);
        });
    }

    @Test
    void listenersOfAParentReceiveTheEventsOfItsChild() {
        application
                .withUserConfiguration(Second.class)
                .run(parent -> application.withParent(parent).run(context -> {
                    context.getBean(Service.class).update();
                    await().atMost(LONG)
                            .until(() -> parent.getBean(Second.class).heard.size() == 1);
                }));
    }

    @Test
    void noEventIsCreatedWithoutAListener() {
        application.run(context -> assertThat(publisher(context).isActive()).isFalse());
        application
                .withUserConfiguration(Everything.class)
                .run(context -> assertThat(publisher(context).isActive()).isTrue());
    }

    @Test
    void aListenerThatIsAddedLaterOrCreatedLazilyReceivesEvents() {
        application.run(context -> {
            List<Object> heard = new CopyOnWriteArrayList<>();
            context.getSourceApplicationContext()
                    .addApplicationListener((PayloadApplicationEvent<LockReleasedEvent> event) -> {
                        if (((Object) event.getPayload()) instanceof LockReleasedEvent) {
                            heard.add(event.getPayload());
                        }
                    });
            context.getBean(Service.class).update();
            await().atMost(LONG).until(() -> heard.size() == 1);
        });
        application
                .withInitializer(context -> context.addBeanFactoryPostProcessor(
                        new org.springframework.boot.LazyInitializationBeanFactoryPostProcessor()))
                .withUserConfiguration(Typed.class)
                .run(context -> {
                    context.getBean(Service.class).update();
                    await().atMost(LONG).until(() -> Typed.HEARD.size() == 1);
                });
    }

    @Test
    void eventsCanBeSwitchedOff() {
        application
                .withUserConfiguration(Everything.class)
                .withPropertyValues("distribution-lock.events.enabled=false")
                .run(context -> assertThat(context).doesNotHaveBean(LockObserver.class));
    }

    private static LockObserver publisher(BeanFactory context) {
        return context.getBean("lockEventPublisher", LockObserver.class);
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

    static class Thrower {

        final List<Object> heard = new CopyOnWriteArrayList<>();

        @EventListener
        @Order(Ordered.HIGHEST_PRECEDENCE)
        void hear(LockAcquiredEvent event) {
            heard.add(event);
            throw new IllegalStateException("a listener that fails on purpose");
        }
    }

    static class Second {

        final List<Object> heard = new CopyOnWriteArrayList<>();

        @EventListener
        @Order(Ordered.LOWEST_PRECEDENCE)
        void hear(LockAcquiredEvent event) {
            heard.add(event);
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

    static class ThrowerAtLosses {

        @EventListener
        @Order(Ordered.HIGHEST_PRECEDENCE)
        void hear(LockLostEvent event) {
            throw new IllegalStateException("a listener that fails on purpose");
        }
    }

    static class Typed implements ApplicationListener<PayloadApplicationEvent<LockReleasedEvent>> {

        static final List<Object> HEARD = new CopyOnWriteArrayList<>();

        @Override
        public void onApplicationEvent(PayloadApplicationEvent<LockReleasedEvent> event) {
            HEARD.add(event.getPayload());
        }
    }
}
