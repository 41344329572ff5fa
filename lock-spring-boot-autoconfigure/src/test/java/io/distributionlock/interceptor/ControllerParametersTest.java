package io.distributionlock.interceptor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.get;

import io.distributionlock.Lease;
import io.distributionlock.LockContext;
import io.distributionlock.LockOutcome;
import io.distributionlock.annotation.DistributionLock;
import io.distributionlock.annotation.FencingToken;
import io.distributionlock.annotation.OnBackendFailure;
import io.distributionlock.testing.LockContextRunner;
import io.distributionlock.testing.ScriptedLockExecutor;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.test.web.servlet.MockMvc;
import org.springframework.test.web.servlet.setup.MockMvcBuilders;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.servlet.config.annotation.EnableWebMvc;

/** A client of a web application chooses neither the fencing token nor the lease of a locked controller method. */
@Tag("boot4")
class ControllerParametersTest {

    private static final String GREATEST = "?token=" + Long.MAX_VALUE;

    private final ScriptedLockExecutor executor = new ScriptedLockExecutor();

    @FunctionalInterface
    private interface Client {
        String get(String address) throws Exception;
    }

    @FunctionalInterface
    private interface Body {
        void run(Client client) throws Exception;
    }

    private void with(Body body) {
        new WebApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(AopAutoConfiguration.class))
                .withConfiguration(AutoConfigurations.of(LockContextRunner.autoConfigurations()))
                .withBean(ScriptedLockExecutor.class, () -> executor)
                .withUserConfiguration(Application.class)
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    MockMvc mvc = MockMvcBuilders.webAppContextSetup(context).build();
                    body.run(address -> {
                        MockHttpServletResponse response =
                                mvc.perform(get(address)).andReturn().getResponse();
                        assertThat(response.getStatus()).as(address).isEqualTo(200);
                        return response.getContentAsString();
                    });
                });
    }

    private void redisFails() {
        executor.answerNext(new LockOutcome.BackendFailed(Duration.ZERO, new IllegalStateException("down")));
    }

    @Test
    void theTokenIsThatOfTheLockWhateverTheClientSends() {
        with(client -> {
            assertThat(client.get("/token" + GREATEST)).isEqualTo("own");
            assertThat(client.get("/token?token=0")).isEqualTo("own");
            assertThat(client.get("/token?token=none")).isEqualTo("own");
            assertThat(client.get("/token")).isEqualTo("own");
            assertThat(client.get("/boxed" + GREATEST)).isEqualTo("own");
            assertThat(client.get("/boxed")).isEqualTo("own");
            assertThat(client.get("/request-parameter" + GREATEST)).isEqualTo("own");
        });
    }

    @Test
    void theLeaseIsThatOfTheLock() {
        with(client -> {
            assertThat(client.get("/lease")).isEqualTo("lease");
            assertThat(client.get("/lease?lease=other&name=other")).isEqualTo("lease");
        });
    }

    @Test
    void aMethodWithoutItsLockGetsNeitherTokenNorLease() {
        with(client -> {
            assertThat(client.get("/conditional" + GREATEST + "&needed=false")).isEqualTo("0 without a lease");
            assertThat(client.get("/conditional" + GREATEST + "&needed=true")).isEqualTo("own with a lease");
            redisFails();
            assertThat(client.get("/proceeding" + GREATEST)).isEqualTo("0");
            redisFails();
            assertThat(client.get("/fallback" + GREATEST)).isEqualTo("fallback 0");
        });
    }

    @Configuration(proxyBeanMethods = false)
    @EnableWebMvc
    @Import(Controller.class)
    static class Application {}

    @RestController
    static class Controller {

        private static String describe(@Nullable Long token) {
            boolean own = token != null && LockContext.isHeld() && token == LockContext.fencingToken();
            return own ? "own" : String.valueOf(token);
        }

        @DistributionLock(key = "token")
        @GetMapping("/token")
        public String token(@FencingToken long token) {
            return describe(token);
        }

        @DistributionLock(key = "boxed")
        @GetMapping("/boxed")
        public String boxed(@FencingToken @Nullable Long token) {
            return describe(token);
        }

        @DistributionLock(key = "parameter")
        @GetMapping("/request-parameter")
        public String requestParameter(@RequestParam("token") @FencingToken long token) {
            return describe(token);
        }

        @DistributionLock(key = "lease")
        @GetMapping("/lease")
        public String lease(Lease lease) {
            return lease.isValid() ? lease.name() : "lost";
        }

        @DistributionLock(key = "conditional", condition = "#needed")
        @GetMapping("/conditional")
        public String conditional(
                @RequestParam("needed") boolean needed, @FencingToken long token, @Nullable Lease lease) {
            return describe(token) + (lease == null ? " without a lease" : " with a lease");
        }

        @DistributionLock(key = "proceeding", onBackendFailure = OnBackendFailure.PROCEED)
        @GetMapping("/proceeding")
        public String proceeding(@FencingToken long token) {
            return describe(token);
        }

        @DistributionLock(key = "fallback", fallbackMethod = "later")
        @GetMapping("/fallback")
        public String fallback(@FencingToken long token) {
            return describe(token);
        }

        String later(long token) {
            return "fallback " + token;
        }
    }
}
