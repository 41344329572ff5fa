package io.distributionlock.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.mockito.Mockito.mock;

import io.distributionlock.LockKind;
import io.distributionlock.LockTemplate;
import io.distributionlock.annotation.DistributionLock;
import io.distributionlock.messages.MessageRules;
import io.distributionlock.testing.LockContextRunner;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ConfigurableApplicationContext;

/** Locked methods where nothing can be locked any more, or nothing was meant to be. */
@Tag("boot4")
class UnusableContextTest {

    private final ApplicationContextRunner runner = LockContextRunner.local();

    static class Stock {
        @DistributionLock(key = "stock")
        public String take() {
            return "taken";
        }
    }

    static class Ledger {
        @DistributionLock(key = "ledger", kind = LockKind.READ)
        public String read() {
            return "read";
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aCallOfALockedMethodAfterTheContextWasClosedSaysSo(boolean wasCalledBefore) {
        runner.withBean(Stock.class).run(context -> {
            Stock stock = context.getBean(Stock.class);
            if (wasCalledBefore) {
                stock.take();
            }
            ((ConfigurableApplicationContext) context.getSourceApplicationContext()).close();
            Throwable thrown = catchThrowable(stock::take);
            assertThat(thrown)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("Stock.take()")
                    .hasMessageContaining("shut down")
                    .hasNoCause();
            assertThat(MessageRules.faults(thrown.getMessage())).isEmpty();
        });
    }

    @Test
    void aMockedLockTemplateIsCalledOneAtTheCallWithTheWayToTheTestKit() {
        runner.withBean(LockTemplate.class, () -> mock(LockTemplate.class))
                .withBean(Stock.class)
                .run(context -> {
                    Throwable thrown = catchThrowable(context.getBean(Stock.class)::take);
                    assertThat(thrown)
                            .hasMessageContaining("as a mock has none")
                            .hasMessageContaining("@LocalLocks");
                    assertThat(MessageRules.faults(thrown.getMessage())).isEmpty();
                });
    }

    @Test
    void andAtTheStartWhereAKindIsAskedForThatAMockDoesNotHave() {
        runner.withBean(LockTemplate.class, () -> mock(LockTemplate.class))
                .withBean(Ledger.class)
                .run(context -> assertThat(context.getStartupFailure())
                        .hasMessageContaining("as a mock has none")
                        .hasMessageContaining("lock-spring-boot-test")
                        .hasMessageNotContaining("[]"));
    }
}
