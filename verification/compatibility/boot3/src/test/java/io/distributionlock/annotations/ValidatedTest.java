package io.distributionlock.annotations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributionlock.annotation.DistributionLock;
import io.distributionlock.testing.MovedClasses;
import jakarta.validation.ConstraintViolationException;
import jakarta.validation.Validator;
import jakarta.validation.constraints.Positive;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.access.AccessDeniedException;
import org.springframework.security.access.prepost.PreAuthorize;
import org.springframework.security.authentication.TestingAuthenticationToken;
import org.springframework.security.config.annotation.method.configuration.EnableMethodSecurity;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.validation.annotation.Validated;
import org.springframework.validation.beanvalidation.MethodValidationPostProcessor;

/** The lock and the constraints of a method's parameters. */
class ValidatedTest {

    private final Trace trace = new Trace();

    @AfterEach
    void logOut() {
        SecurityContextHolder.clearContext();
    }

    @Test
    void byDefaultTheArgumentsAreValidatedUnderTheLock() {
        validating(trace.application(Orders.class)).run(context -> {
            assertThatThrownBy(() -> context.getBean(Orders.class).add(-1))
                    .isInstanceOf(ConstraintViolationException.class);
            assertThat(trace.next()).containsExactly("lock order", "unlock order");
        });
    }

    @Test
    void anEarlierValidationRefusesThemWithoutTheLock() {
        validating(trace.application(Orders.class, ValidationFirst.class)).run(context -> {
            assertThatThrownBy(() -> context.getBean(Orders.class).add(-1))
                    .isInstanceOf(ConstraintViolationException.class);
            assertThat(trace.next()).isEmpty();
            context.getBean(Orders.class).add(1);
            assertThat(trace.next()).containsExactly("lock order", "run", "unlock order");
        });
    }

    @Test
    void anEarlierValidationIsOutsideOfSecurityToo() {
        validating(trace.application(Orders.class, ValidationFirst.class, Security.class))
                .run(context -> {
                    SecurityContextHolder.getContext()
                            .setAuthentication(new TestingAuthenticationToken("user", "secret", "ROLE_GUEST"));
                    Orders orders = context.getBean(Orders.class);
                    assertThatThrownBy(() -> orders.deny(-1)).isInstanceOf(ConstraintViolationException.class);
                    assertThatThrownBy(() -> orders.deny(1)).isInstanceOf(AccessDeniedException.class);
                });
    }

    private static ApplicationContextRunner validating(ApplicationContextRunner application) {
        return application.withConfiguration(AutoConfigurations.of(MovedClasses.validationAutoConfiguration()));
    }

    @Configuration(proxyBeanMethods = false)
    @EnableMethodSecurity
    static class Security {}

    @Configuration(proxyBeanMethods = false)
    static class ValidationFirst {

        @Bean
        static MethodValidationPostProcessor validationOutsideOfLocks(ObjectProvider<Validator> validator) {
            MethodValidationPostProcessor validation = new MethodValidationPostProcessor();
            validation.setValidatorProvider(validator);
            validation.setProxyTargetClass(true);
            validation.setBeforeExistingAdvisors(true);
            return validation;
        }
    }

    @Validated
    static class Orders {

        private final Trace trace;

        Orders(Trace trace) {
            this.trace = trace;
        }

        @DistributionLock(key = "order")
        public void add(@Positive int quantity) {
            trace.add("run");
        }

        @DistributionLock(key = "order")
        @PreAuthorize("denyAll")
        public void deny(@Positive int quantity) {
            trace.add("run");
        }
    }
}
