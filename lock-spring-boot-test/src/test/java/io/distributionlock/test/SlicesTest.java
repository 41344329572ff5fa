package io.distributionlock.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.distributionlock.Lease;
import io.distributionlock.LockNotAcquiredException;
import io.distributionlock.LockOutcome;
import io.distributionlock.LockTemplate;
import io.distributionlock.annotation.DistributionLock;
import io.distributionlock.annotation.DistributionLockParam;
import io.distributionlock.annotation.FencingToken;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.autoconfigure.jdbc.JdbcTest;
import org.springframework.boot.test.autoconfigure.json.JsonTest;
import org.springframework.boot.test.autoconfigure.web.client.RestClientTest;
import org.springframework.boot.test.autoconfigure.web.servlet.WebMvcTest;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.test.annotation.DirtiesContext;
import org.springframework.test.context.ContextConfiguration;
import org.springframework.test.context.TestContextManager;
import org.springframework.test.context.junit.jupiter.SpringJUnitConfig;
import org.springframework.test.web.servlet.request.MockMvcRequestBuilders;
import org.springframework.test.web.servlet.result.MockMvcResultMatchers;
import org.springframework.test.web.servlet.setup.MockMvcBuilders;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.context.WebApplicationContext;
import org.springframework.web.servlet.config.annotation.EnableWebMvc;

/** A4: in a slice of the application the annotations of this kit bring the locks with them. Spring Boot 4 has its slices elsewhere. */
@Tag("boot4")
class SlicesTest {

    @ParameterizedTest
    @ValueSource(
            classes = {
                Web.class,
                WebWithLocalLocks.class,
                Jdbc.class,
                JdbcWithLocalLocks.class,
                Json.class,
                RestClient.class,
                ByClasses.class,
                ByClassesWithLocalLocks.class,
                Plain.class,
                PlainWithLocalLocks.class,
                Inheriting.class,
                Whole.class
            })
    void servicesOfASliceAreLocked(Class<?> slice) throws Exception {
        TestContextManager test = new TestContextManager(slice);
        ApplicationContext context = test.getTestContext().getApplicationContext();
        OrderService service = context.getBean(OrderService.class);
        LockTemplate locks = context.getBean(LockTemplate.class);
        assertThat(service.update("A1")).isEqualTo("updated A1");
        LockOutcome elsewhere =
                locks.acquireAsync(locks.request("update:A1").build()).join();
        try (Lease other = ((LockOutcome.Acquired) elsewhere).lease()) {
            assertThat(other.isValid()).isTrue();
            assertThatExceptionOfType(LockNotAcquiredException.class).isThrownBy(() -> service.update("A1"));
        }
        test.getTestContext().markApplicationContextDirty(DirtiesContext.HierarchyMode.EXHAUSTIVE);
    }

    @Test
    void controllersOfASliceAreGivenLeaseAndToken() throws Exception {
        TestContextManager test = new TestContextManager(Controllers.class);
        WebApplicationContext context =
                (WebApplicationContext) test.getTestContext().getApplicationContext();
        MockMvcBuilders.webAppContextSetup(context)
                .build()
                .perform(MockMvcRequestBuilders.get("/orders/A1"))
                .andExpect(MockMvcResultMatchers.status().isOk())
                .andExpect(MockMvcResultMatchers.content().string("update:A1, true"));
        test.getTestContext().markApplicationContextDirty(DirtiesContext.HierarchyMode.EXHAUSTIVE);
    }

    @WebMvcTest
    @ContextConfiguration(classes = Application.class)
    @ScriptedLocks
    static class Web {}

    @WebMvcTest
    @ContextConfiguration(classes = Application.class)
    @LocalLocks
    static class WebWithLocalLocks {}

    /** What a slice of the web has, on every line of Spring Boot. */
    @SpringBootTest(classes = OrderController.class)
    @EnableWebMvc
    @LocalLocks
    static class Controllers {}

    @JdbcTest
    @ContextConfiguration(classes = Application.class)
    @ScriptedLocks
    static class Jdbc {}

    @JdbcTest
    @ContextConfiguration(classes = Application.class)
    @LocalLocks
    static class JdbcWithLocalLocks {}

    @JsonTest
    @ContextConfiguration(classes = Application.class)
    @ScriptedLocks
    static class Json {}

    @RestClientTest
    @ContextConfiguration(classes = Application.class)
    @ScriptedLocks
    static class RestClient {}

    @SpringBootTest(classes = OrderService.class)
    @ScriptedLocks
    static class ByClasses {}

    @SpringBootTest(classes = OrderService.class)
    @LocalLocks
    static class ByClassesWithLocalLocks {}

    @SpringJUnitConfig(OrderService.class)
    @ScriptedLocks
    static class Plain {}

    @SpringJUnitConfig(OrderService.class)
    @LocalLocks
    static class PlainWithLocalLocks {}

    static class Inheriting extends Web {}

    @SpringBootTest(classes = Application.class)
    @ScriptedLocks
    static class Whole {}

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import({OrderService.class, OrderController.class})
    static class Application {}

    @RestController
    static class OrderController {

        @GetMapping("/orders/{orderCode}")
        @DistributionLock(key = "update")
        public String update(
                @DistributionLockParam @PathVariable("orderCode") String orderCode,
                Lease lease,
                @FencingToken long token) {
            return lease.name() + ", " + (token > 0);
        }
    }

    static class OrderService {

        @DistributionLock(key = "update", tryLockTime = 0)
        public String update(@DistributionLockParam String orderCode) {
            return "updated " + orderCode;
        }
    }
}
