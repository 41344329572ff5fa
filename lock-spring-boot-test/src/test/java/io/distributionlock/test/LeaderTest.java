package io.distributionlock.test;

import static io.distributionlock.test.LockAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import io.distributionlock.annotation.LeaderOnly;
import io.distributionlock.leader.LeaderElection;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** A test leads as soon as its application has started, and decides for itself when it does not. */
@Tag("boot4")
@SpringBootTest(properties = "distribution-lock.leader.elections=outbox")
@ScriptedLocks
class LeaderTest {

    @Autowired
    LeaderElection election;

    @Autowired
    OutboxPublisher outbox;

    @Autowired
    ScriptedLockExecutor locks;

    @Test
    void theLeaderPublishes() {
        int before = outbox.published();
        outbox.publish();
        assertThat(outbox.published()).isEqualTo(before + 1);
        assertThat(locks).isHeld("leader:outbox");
    }

    @Test
    void theOthersDoNot() {
        int before = outbox.published();
        election.stop();
        outbox.publish();
        assertThat(outbox.published()).isEqualTo(before);
        election.start();
        outbox.publish();
        assertThat(outbox.published()).isEqualTo(before + 1);
    }

    @Test
    void aLeaderThatLosesItsLockStops() {
        locks.when("leader:outbox").busy();
        locks.lose("leader:outbox");
        assertThat(election.isLeader()).isFalse();
        election.stop();
        locks.when("leader:outbox").granted();
        election.start();
        assertThat(election.isLeader()).isTrue();
    }

    static class OutboxPublisher {

        private final AtomicInteger published = new AtomicInteger();

        @LeaderOnly("outbox")
        public void publish() {
            published.incrementAndGet();
        }

        int published() {
            return published.get();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {

        @Bean
        OutboxPublisher outboxPublisher() {
            return new OutboxPublisher();
        }
    }
}
