package io.distributionlock.interceptor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import io.distributionlock.Lease;
import io.distributionlock.LockContext;
import io.distributionlock.annotation.DistributionLock;
import io.distributionlock.annotation.DistributionLockParam;
import io.distributionlock.annotation.FencingToken;
import io.distributionlock.key.LockCondition;
import io.distributionlock.key.LockKeyException;
import io.distributionlock.key.LockKeyResolver;
import io.distributionlock.testing.LockContextRunner;
import io.distributionlock.testing.ScriptedLockExecutor;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.slf4j.LoggerFactory;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** A condition says which calls need the lock. */
@Tag("boot4")
@ExtendWith(OutputCaptureExtension.class)
class LockConditionTest {

    private final ScriptedLockExecutor executor = new ScriptedLockExecutor();

    private void with(Consumer<Service> test) {
        LockContextRunner.with(executor, Service.class)
                .withBean("switches", Switches.class)
                .withPropertyValues("orders.locked=false")
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    test.accept(context.getBean(Service.class));
                });
    }

    @AfterEach
    void everythingIsReleased() {
        assertThat(executor.nothingHeldOrWaiting()).isTrue();
    }

    @Test
    void aCallThatNeedsTheLockHoldsIt() {
        with(service -> {
            assertThat(service.pay("A1", 500)).isEqualTo("locked");
            assertThat(executor.names()).containsExactly("pay:A1");
        });
    }

    @Test
    void anyOtherCallRunsWithoutIt() {
        with(service -> {
            assertThat(service.pay("A1", 5)).isEqualTo("unlocked");
            assertThat(executor.names()).isEmpty();
        });
    }

    @ParameterizedTest
    @CsvSource({"true, locked", "false, unlocked"})
    void whateverTheMethodReturns(boolean needed, String expected) {
        with(service -> {
            assertThat(service.future(needed).join()).isEqualTo(expected);
            assertThat(service.mono(needed).block()).isEqualTo(expected);
            assertThat(service.flux(needed).collectList().block()).containsExactly(expected);
            assertThat(executor.names()).hasSize(needed ? 3 : 0);
        });
    }

    @Test
    void theNameIsNotNeededWithoutTheLock() {
        with(service -> {
            assertThat(service.optional(null)).isEqualTo("unlocked");
            assertThat(service.optional("A1")).isEqualTo("locked");
            assertThat(executor.names()).containsExactly("optional:A1");
        });
    }

    @Test
    void eachOfSeveralLocksHasItsOwn() {
        with(service -> {
            assertThat(service.transfer("alice", "bob", true, false)).containsExactly("account:alice");
            assertThat(service.transfer("alice", "bob", false, true)).containsExactly("account:bob");
            assertThat(service.transfer("alice", "bob", true, true)).containsExactly("account:alice", "account:bob");
            assertThat(service.transfer("alice", "bob", false, false)).isEmpty();
        });
    }

    @Test
    void aBeanOrAPropertyMayDecide() {
        with(service -> {
            assertThat(service.byBean()).isEqualTo("unlocked");
            assertThat(service.byProperty()).isEqualTo("unlocked");
            assertThat(service.always()).isEqualTo("locked");
        });
    }

    /** As for a call that proceeds although the backend has failed. */
    @Test
    void withoutTheLockThereIsNeitherTokenNorLease() {
        with(service -> {
            assertThat(service.fenced(false, 0, null)).isEqualTo("0 null");
            assertThat(service.fenced(true, 0, null)).isEqualTo("1 fenced");
        });
    }

    @ParameterizedTest
    @CsvSource({"undecided, is null", "textual, is a java.lang.String", "failing, failed"})
    void ifItDoesNotTellThenTheMethodDoesNotRun(String method, String complaint) {
        with(service -> {
            assertThatThrownBy(() -> {
                        switch (method) {
                            case "undecided" -> service.undecided(null);
                            case "textual" -> service.textual("yes");
                            default -> service.failing("x");
                        }
                    })
                    .isInstanceOf(LockKeyException.class)
                    .hasMessageContaining("Service." + method)
                    .hasMessageContaining("of 'condition' " + complaint);
            assertThat(service.ran()).isFalse();
            assertThat(executor.names()).isEmpty();
        });
    }

    @Test
    void aCallWithoutItsLockIsLoggedAtDebug(CapturedOutput output) {
        Logger log = (Logger) LoggerFactory.getLogger(LockCondition.class);
        log.setLevel(Level.DEBUG);
        try {
            with(service -> service.pay("A1", 5));
        } finally {
            log.setLevel(null);
        }
        assertThat(output)
                .contains(
                        "Service.pay(String, int) runs without the lock 'pay', because its condition '#amount > 100' is"
                                + " false");
    }

    @Test
    void aResolverOfTheApplicationDoesNotChangeIt() {
        LockContextRunner.with(executor, Service.class, OwnNames.class)
                .withBean("switches", Switches.class)
                .withPropertyValues("orders.locked=true")
                .run(context -> {
                    Service service = context.getBean(Service.class);
                    assertThat(service.pay("A1", 5)).isEqualTo("unlocked");
                    assertThat(service.pay("A1", 500)).isEqualTo("locked");
                    assertThat(executor.names()).containsExactly("own");
                });
    }

    @Configuration(proxyBeanMethods = false)
    static class OwnNames {
        @Bean
        LockKeyResolver ownNames() {
            return invocation -> List.of("own");
        }
    }

    static class Switches {
        public boolean on() {
            return false;
        }
    }

    static class Service {

        private boolean ran;

        private static String state() {
            return LockContext.isHeld() ? "locked" : "unlocked";
        }

        public boolean ran() {
            return ran;
        }

        @DistributionLock(key = "pay", condition = "#amount > 100")
        public String pay(@DistributionLockParam String code, int amount) {
            return state();
        }

        @DistributionLock(key = "future", condition = "#p0")
        public CompletableFuture<String> future(boolean needed) {
            return CompletableFuture.completedFuture(state());
        }

        @DistributionLock(key = "mono", condition = "#needed")
        public Mono<String> mono(boolean needed) {
            return Mono.just(state());
        }

        @DistributionLock(key = "flux", condition = "#needed")
        public Flux<String> flux(boolean needed) {
            return Flux.just(state());
        }

        @DistributionLock(key = "optional", condition = "#code != null")
        public String optional(@DistributionLockParam String code) {
            return state();
        }

        @DistributionLock(key = "account:#{#from}", condition = "#takes")
        @DistributionLock(key = "account:#{#to}", condition = "#gives")
        public List<String> transfer(String from, String to, boolean takes, boolean gives) {
            return LockContext.leases().stream().map(Lease::name).toList();
        }

        @DistributionLock(key = "bean", condition = "@switches.on()")
        public String byBean() {
            return state();
        }

        @DistributionLock(key = "property", condition = "${orders.locked}")
        public String byProperty() {
            return state();
        }

        @DistributionLock(key = "always", condition = "true")
        public String always() {
            return state();
        }

        @DistributionLock(key = "fenced", condition = "#needed")
        public String fenced(boolean needed, @FencingToken long token, Lease lease) {
            return token + " " + (lease == null ? null : lease.name());
        }

        @DistributionLock(key = "undecided", condition = "#needed")
        public void undecided(Boolean needed) {
            ran = true;
        }

        @DistributionLock(key = "textual", condition = "#needed")
        public void textual(String needed) {
            ran = true;
        }

        @DistributionLock(key = "failing", condition = "#needed.on()")
        public void failing(String needed) {
            ran = true;
        }
    }
}
