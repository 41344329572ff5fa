package io.distributionlock.annotations;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributionlock.Lease;
import io.distributionlock.LockTemplate;
import io.distributionlock.annotation.DistributionLock;
import io.distributionlock.testing.LockContextRunner;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.slf4j.MDC;
import org.springframework.context.i18n.LocaleContextHolder;

/** With what the starter brings, and nothing else, an asynchronous method sees its caller's context whether or not it had to wait. */
class CallerContextTest {

    @AfterEach
    void forget() {
        MDC.clear();
        LocaleContextHolder.resetLocaleContext();
    }

    @Test
    void theContextIsTheSameOnAFreeAndOnABusyLock() {
        LockContextRunner.local(Orders.class).run(context -> {
            Orders orders = context.getBean(Orders.class);
            MDC.put("user", "ada");
            LocaleContextHolder.setLocale(Locale.FRENCH);
            String free = orders.update().get(30, TimeUnit.SECONDS);

            LockTemplate locks = context.getBean(LockTemplate.class);
            Lease busy =
                    CompletableFuture.supplyAsync(() -> locks.acquire("order")).get(30, TimeUnit.SECONDS);
            CompletableFuture<String> waiting = orders.update();
            assertThat(waiting).isNotDone();
            busy.release();

            assertThat(free).isEqualTo("ada fr");
            assertThat(waiting.get(30, TimeUnit.SECONDS)).isEqualTo(free);
        });
    }

    static class Orders {

        @DistributionLock(key = "order")
        public CompletableFuture<String> update() {
            return CompletableFuture.completedFuture(MDC.get("user") + " " + LocaleContextHolder.getLocale());
        }
    }
}
