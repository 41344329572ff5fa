package io.distributionlock.interceptor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.distributionlock.testing.LockContextRunner;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.acme.Orders;

/** An application may have packages that begin as Spring's do; its beans there are no beans of Spring. */
@Tag("boot4")
class PackagesOfSpringTest {

    @Test
    void itsMethodsAreLockedAndItsListenersHear() {
        LockContextRunner.local(Orders.class, Orders.Listener.class).run(context -> {
            assertThat(context.getBean(Orders.class).isLocked()).isTrue();
            Orders.Listener listener = context.getBean(Orders.Listener.class);
            await().untilAsserted(() -> assertThat(listener.heard).hasValue(1));
        });
    }
}
