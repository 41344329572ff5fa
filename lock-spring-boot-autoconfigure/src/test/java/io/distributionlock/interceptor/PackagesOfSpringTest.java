package io.distributionlock.interceptor;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributionlock.testing.LockContextRunner;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.acme.Orders;

/** An application may have packages that begin as Spring's do; its beans there are no beans of Spring. */
@Tag("boot4")
class PackagesOfSpringTest {

    @Test
    void itsMethodsAreLocked() {
        LockContextRunner.local(Orders.class).run(context -> {
            assertThat(context.getBean(Orders.class).isLocked()).isTrue();
        });
    }
}
