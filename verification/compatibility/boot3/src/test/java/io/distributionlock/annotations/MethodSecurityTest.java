package io.distributionlock.annotations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributionlock.annotation.DistributionLock;
import jakarta.annotation.security.RolesAllowed;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.access.AccessDeniedException;
import org.springframework.security.access.annotation.Secured;
import org.springframework.security.access.prepost.PostAuthorize;
import org.springframework.security.access.prepost.PreAuthorize;
import org.springframework.security.authentication.TestingAuthenticationToken;
import org.springframework.security.config.annotation.method.configuration.EnableMethodSecurity;
import org.springframework.security.core.context.SecurityContextHolder;

/** The lock and Spring Security's annotations on one method. */
class MethodSecurityTest {

    private final Trace trace = new Trace();

    @BeforeEach
    void logIn() {
        logInAs("CLERK");
    }

    @AfterEach
    void logOut() {
        SecurityContextHolder.clearContext();
    }

    private static void logInAs(String role) {
        SecurityContextHolder.getContext()
                .setAuthentication(new TestingAuthenticationToken("user", "secret", "ROLE_" + role));
    }

    @Test
    void byDefaultACallIsAuthorizedUnderTheLock() {
        trace.application(Security.class, Orders.class).run(context -> {
            Orders orders = context.getBean(Orders.class);
            orders.preAuthorized();
            assertThat(trace.next()).containsExactly("lock pre", "run", "unlock pre");
            orders.postAuthorized();
            assertThat(trace.next()).containsExactly("lock post", "run", "unlock post");
            logInAs("GUEST");
            assertRefused(orders::preAuthorized);
            assertThat(trace.next()).containsExactly("lock pre", "unlock pre");
            assertRefused(orders::secured);
            assertThat(trace.next()).containsExactly("lock secured", "unlock secured");
            assertRefused(orders::rolesAllowed);
            assertThat(trace.next()).containsExactly("lock roles", "unlock roles");
        });
    }

    @Test
    void aLaterLockIsNotTakenForACallerWhoIsRefused() {
        trace.application(Security.class, Orders.class)
                .withPropertyValues(Trace.LATER)
                .run(context -> {
                    Orders orders = context.getBean(Orders.class);
                    orders.preAuthorized();
                    assertThat(trace.next()).containsExactly("lock pre", "run", "unlock pre");
                    logInAs("GUEST");
                    assertRefused(orders::preAuthorized);
                    assertRefused(orders::secured);
                    assertRefused(orders::rolesAllowed);
                    assertThat(trace.next()).isEmpty();
                    assertRefused(orders::postAuthorized);
                    assertThat(trace.next()).containsExactly("lock post", "run", "unlock post");
                });
    }

    private static void assertRefused(Runnable call) {
        assertThatThrownBy(call::run).isInstanceOf(AccessDeniedException.class);
    }

    @Configuration(proxyBeanMethods = false)
    @EnableMethodSecurity(securedEnabled = true, jsr250Enabled = true)
    static class Security {}

    static class Orders {

        private final Trace trace;

        Orders(Trace trace) {
            this.trace = trace;
        }

        @DistributionLock(key = "pre")
        @PreAuthorize("hasRole('CLERK')")
        public void preAuthorized() {
            trace.add("run");
        }

        @DistributionLock(key = "post")
        @PostAuthorize("hasRole('CLERK')")
        public void postAuthorized() {
            trace.add("run");
        }

        @DistributionLock(key = "secured")
        @Secured("ROLE_CLERK")
        public void secured() {
            trace.add("run");
        }

        @DistributionLock(key = "roles")
        @RolesAllowed("CLERK")
        public void rolesAllowed() {
            trace.add("run");
        }
    }
}
