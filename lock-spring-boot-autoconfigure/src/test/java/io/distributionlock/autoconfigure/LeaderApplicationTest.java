package io.distributionlock.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.distributionlock.LockExecutor;
import io.distributionlock.LockTemplate;
import io.distributionlock.annotation.DistributionLock;
import io.distributionlock.annotation.InvalidLockDefinitionException;
import io.distributionlock.annotation.LeaderOnly;
import io.distributionlock.annotation.ScheduledLock;
import io.distributionlock.backend.EngineSettings;
import io.distributionlock.backend.InstanceName;
import io.distributionlock.event.LeadershipGrantedEvent;
import io.distributionlock.event.LeadershipRevokedEvent;
import io.distributionlock.leader.LeaderElection;
import io.distributionlock.local.LocalBackend;
import io.distributionlock.local.LocalLockExecutor;
import io.distributionlock.testing.LockContextRunner;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.EventListener;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;

/** Elections in applications: declared by properties, as beans, in methods that only the leader runs, and by events. */
@Tag("boot4")
@ExtendWith(OutputCaptureExtension.class)
class LeaderApplicationTest {

    private static final Duration LONG = Duration.ofSeconds(60);
    private static final String OUTBOX = "distribution-lock.leader.elections=outbox";

    /** Two applications with this backend share their locks. */
    private static ApplicationContextRunner on(LocalBackend backend, Class<?>... configurations) {
        return LockContextRunner.plain()
                .withBean(
                        LockExecutor.class,
                        () -> new LocalLockExecutor(EngineSettings.standard(InstanceName.create()), backend))
                .withPropertyValues(OUTBOX)
                .withUserConfiguration(configurations);
    }

    @Test
    void oneApplicationLeadsUntilItIsClosed() {
        LocalBackend backend = new LocalBackend();
        Outbox first = new Outbox();
        Outbox second = new Outbox();
        on(backend).withBean(Outbox.class, () -> second).run(there -> {
            there.getBean(LeaderElection.class).stop();
            on(backend).withBean(Outbox.class, () -> first).run(here -> {
                assertThat(here.getBean(LeaderElection.class).isLeader()).isTrue();
                there.getBean(LeaderElection.class).start();
                here.getBean(Outbox.class).publish();
                there.getBean(Outbox.class).publish();
                assertThat(first.published()).isEqualTo(1);
                assertThat(second.published()).isZero();
            });
            await().atMost(LONG).until(there.getBean(LeaderElection.class)::isLeader);
            there.getBean(Outbox.class).publish();
            assertThat(second.published()).isEqualTo(1);
        });
        assertThat(first.heard()).hasSize(2);
        long token = ((LeadershipGrantedEvent) first.heard().get(0)).fencingToken();
        assertThat(token).isPositive();
        assertThat(first.heard())
                .containsExactly(
                        new LeadershipGrantedEvent("outbox", token),
                        new LeadershipRevokedEvent("outbox", token, false));
    }

    @Test
    void aScheduledMethodRunsOnlyOnTheLeader() {
        on(new LocalBackend(), Job.class).run(context -> {
            Job job = context.getBean(Job.class);
            await().atMost(LONG).until(() -> job.runs() > 2);
            context.getBean(LeaderElection.class).stop();
            // The run that had begun before.
            int runs = job.runs() + 1;
            await().atMost(LONG).until(() -> job.turns() > 10);
            assertThat(job.runs()).isLessThanOrEqualTo(runs);
        });
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void whoDoesNotLeadLeavesTheLockToTheLeader(boolean aspects) {
        LocalBackend backend = new LocalBackend();
        ClassLoader classes = aspects ? null : new FilteredClassLoader("org.aspectj");
        on(backend, LockedJob.class).withClassLoader(classes).run(there -> {
            there.getBean(LeaderElection.class).stop();
            on(backend, LockedJob.class).withClassLoader(classes).run(here -> {
                assertThat(here.getBean(LeaderElection.class).isLeader()).isTrue();
                there.getBean(LockedJob.class).run();
                here.getBean(LockedJob.class).run();
                assertThat(there.getBean(LockedJob.class).runs()).isZero();
                assertThat(here.getBean(LockedJob.class).runs()).isEqualTo(1);
            });
        });
    }

    /** A child has the properties of its parent, and would stand for itself, in vain as long as its parent leads. */
    @Test
    void aChildContextStandsWithItsParent() {
        on(new LocalBackend()).run(parent -> {
            LeaderElection election = parent.getBean(LeaderElection.class);
            await().atMost(LONG).until(election::isLeader);
            LockContextRunner.plain()
                    .withParent(parent)
                    .withPropertyValues(OUTBOX)
                    .withUserConfiguration(Job.class, Standing.class)
                    .run(child -> {
                        assertThat(child).hasNotFailed();
                        assertThat(child.getBean(Standing.class).election).isSameAs(election);
                        Job job = child.getBean(Job.class);
                        await().atMost(LONG).until(() -> job.runs() > 2);
                    });
            assertThat(election.isLeader()).isTrue();
        });
    }

    /** An election that only the child knows is its own. */
    @Test
    void aChildContextStandsInItsOwnElectionsToo() {
        on(new LocalBackend())
                .run(parent -> LockContextRunner.plain()
                        .withParent(parent)
                        .withPropertyValues("distribution-lock.leader.elections=outbox,reports")
                        .withUserConfiguration(Several.class)
                        .run(child -> {
                            Several several = child.getBean(Several.class);
                            assertThat(several.outbox).isSameAs(parent.getBean(LeaderElection.class));
                            await().atMost(LONG).until(several.reports::isLeader);
                        }));
    }

    /** The locks are those of the parent, and so is the election. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void soDoesABeanOfAChildContext(boolean aspects) {
        LocalBackend backend = new LocalBackend();
        ClassLoader classes = aspects ? null : new FilteredClassLoader("org.aspectj");
        on(backend).withClassLoader(classes).run(there -> {
            there.getBean(LeaderElection.class).stop();
            LockContextRunner.plain()
                    .withParent(there)
                    .withClassLoader(classes)
                    .withPropertyValues("distribution-lock.leader.elections=")
                    .withUserConfiguration(LockedJob.class)
                    .run(child -> {
                        on(backend, LockedJob.class).withClassLoader(classes).run(here -> {
                            LockedJob job = child.getBean(LockedJob.class);
                            job.run();
                            here.getBean(LockedJob.class).run();
                            assertThat(job.runs()).isZero();
                            assertThat(here.getBean(LockedJob.class).runs()).isEqualTo(1);
                        });
                        there.getBean(LeaderElection.class).start();
                        await().atMost(LONG).until(there.getBean(LeaderElection.class)::isLeader);
                        LockedJob job = child.getBean(LockedJob.class);
                        job.run();
                        // The other application's minimum hold.
                        assertThat(job.runs()).isZero();
                    });
        });
    }

    @Test
    void severalElectionsAreToldApartByTheirNames() {
        LockContextRunner.local(Several.class)
                .withPropertyValues("distribution-lock.leader.elections=outbox,reports")
                .run(context -> {
                    Several several = context.getBean(Several.class);
                    assertThat(several.outbox.name()).isEqualTo("outbox");
                    assertThat(several.reports.name()).isEqualTo("reports");
                    assertThat(several.outbox.isLeader()).isTrue();
                    several.outbox.stop();
                    assertThat(several.reports.isLeader()).isTrue();
                });
    }

    @Test
    void anElectionCanBeABeanOfTheApplication() {
        LockContextRunner.local(ByHand.class, Outbox.class).run(context -> {
            Outbox outbox = context.getBean(Outbox.class);
            outbox.publish();
            assertThat(outbox.published()).isEqualTo(1);
            await().atMost(LONG).until(() -> !outbox.heard().isEmpty());
            assertThat(outbox.heard().get(0)).isInstanceOf(LeadershipGrantedEvent.class);
        });
    }

    @Test
    void anElectionThatDoesNotExistFailsTheStart() {
        LockContextRunner.local(Outbox.class)
                .withPropertyValues("distribution-lock.leader.elections=outbux")
                .run(context -> assertThat(context.getStartupFailure())
                        .isInstanceOf(InvalidLockDefinitionException.class)
                        .hasMessageContaining("names the election 'outbox', which this application does not have")
                        .hasMessageContaining("distribution-lock.leader.elections")
                        .hasMessageContaining("[outbux]"));
    }

    @Test
    void withoutThatCheckTheCallSaysThatThereIsNoElection() {
        LockContextRunner.local(Outbox.class)
                .withPropertyValues("distribution-lock.validation=warn")
                .run(context -> assertThatThrownBy(
                                () -> context.getBean(Outbox.class).publish())
                        .isInstanceOf(InvalidLockDefinitionException.class)
                        .hasMessageContaining("names the election 'outbox', which this application does not have"));
    }

    @Test
    void aPlaceholderThatCannotBeResolvedIsReportedWithItsMethod() {
        LockContextRunner.local(Unresolved.class)
                .run(context -> assertThat(context.getStartupFailure())
                        .isInstanceOf(InvalidLockDefinitionException.class)
                        .hasMessageContaining("@LeaderOnly(\"${nope}\") on " + Unresolved.class.getName() + ".work()")
                        .hasMessageContaining("has a placeholder that cannot be resolved"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "elections=outbox,,reports | elections[1] is blank",
                "elections=outbox,outbox | elections has 'outbox' twice",
                "lease-time=1ms | lease-time is 1ms: set it from 1000ms",
                "lease-time=400d | lease-time is PT9600H: set it from 1000ms"
            })
    void aMistakeInThePropertiesFailsTheStart(String property, String problem) {
        LockContextRunner.local()
                .withPropertyValues("distribution-lock.leader." + property)
                .run(context -> assertThat(context.getStartupFailure())
                        .hasStackTraceContaining("distribution-lock.leader." + problem));
    }

    @Test
    void oneElectionByTwoBeansFailsTheStart() {
        LockContextRunner.local(ByHand.class)
                .withPropertyValues(OUTBOX)
                .run(context -> assertThat(context.getStartupFailure())
                        .isInstanceOf(InvalidLockDefinitionException.class)
                        .hasMessageContaining("outboxLeader'")
                        .hasMessageContaining("distributionLockElection.outbox'")
                        .hasMessageContaining("both stand in the election 'outbox'"));
        LockContextRunner.local(ByHand.class)
                .withPropertyValues("distribution-lock.leader.elections=reports")
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void aMethodThatCannotBeLeftToTheLeaderFailsTheStart(CapturedOutput output) {
        LockContextRunner.local(Mistakes.class)
                .withPropertyValues(OUTBOX)
                .run(context -> assertThat(context.getStartupFailure())
                        .hasMessageContaining("Mistakes.value() returns a value")
                        .hasMessageContaining("Mistakes.unreachable() has no effect"));
        LockContextRunner.local(Mistakes.class)
                .withPropertyValues(OUTBOX, "distribution-lock.validation=warn")
                .run(context -> assertThat(context).hasNotFailed());
        assertThat(output).contains("Mistakes.unreachable() has no effect");
    }

    @Test
    void aMissingElectionIsReportedBesideTheMistakesInLocks() {
        LockContextRunner.local(OfBothKinds.class)
                .run(context -> assertThat(context.getStartupFailure())
                        .hasMessageContaining("OfBothKinds.locked() has no effect")
                        .hasMessageContaining("names the election 'nobody'"));
    }

    @Test
    void withTheKillSwitchEveryInstanceLeads() {
        LockContextRunner.local(Outbox.class)
                .withPropertyValues(OUTBOX, "distribution-lock.enabled=false")
                .run(context -> assertThat(context.getBean(LeaderElection.class).isLeader())
                        .isTrue());
    }

    @Test
    void anApplicationWithoutElectionsHasNone() {
        LockContextRunner.local().run(context -> assertThat(context).doesNotHaveBean(LeaderElection.class));
    }

    static class Outbox {

        private final AtomicInteger published = new AtomicInteger();
        private final List<Object> heard = new CopyOnWriteArrayList<>();

        int published() {
            return published.get();
        }

        List<Object> heard() {
            return heard;
        }

        @LeaderOnly("outbox")
        public void publish() {
            published.incrementAndGet();
        }

        @EventListener
        public void granted(LeadershipGrantedEvent event) {
            heard.add(event);
        }

        @EventListener
        public void revoked(LeadershipRevokedEvent event) {
            heard.add(event);
        }
    }

    static class Unresolved {

        @LeaderOnly("${nope}")
        public void work() {}
    }

    public static class LockedJob {

        private final AtomicInteger runs = new AtomicInteger();

        public int runs() {
            return runs.get();
        }

        @LeaderOnly("outbox")
        @ScheduledLock(name = "locked-job", lockAtLeastFor = "1m")
        public void run() {
            runs.incrementAndGet();
        }
    }

    @EnableScheduling
    static class Job {

        private final AtomicInteger runs = new AtomicInteger();
        private final AtomicInteger turns = new AtomicInteger();

        int runs() {
            return runs.get();
        }

        int turns() {
            return turns.get();
        }

        @Scheduled(fixedRate = 10)
        @LeaderOnly("${no.such.property:outbox}")
        public void run() {
            runs.incrementAndGet();
        }

        @Scheduled(fixedRate = 10)
        public void count() {
            turns.incrementAndGet();
        }
    }

    static class Standing {

        final LeaderElection election;

        Standing(@Qualifier("outbox") LeaderElection election) {
            this.election = election;
        }
    }

    static class Several {

        final LeaderElection outbox;
        final LeaderElection reports;

        Several(@Qualifier("outbox") LeaderElection outbox, @Qualifier("reports") LeaderElection reports) {
            this.outbox = outbox;
            this.reports = reports;
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class ByHand {

        @Bean
        LeaderElection outboxLeader(LockTemplate locks) {
            return new LeaderElection(locks, "outbox", LONG);
        }
    }

    static class Mistakes {

        @LeaderOnly("outbox")
        public int value() {
            return 1;
        }

        @LeaderOnly("outbox")
        private void unreachable() {}
    }

    static class OfBothKinds {

        @LeaderOnly("nobody")
        public void led() {}

        @DistributionLock(key = "n")
        private void locked() {}
    }
}
