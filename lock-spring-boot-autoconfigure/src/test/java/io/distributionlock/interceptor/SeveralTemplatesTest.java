package io.distributionlock.interceptor;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributionlock.LockDefaults;
import io.distributionlock.LockExecutor;
import io.distributionlock.LockTemplate;
import io.distributionlock.annotation.DistributionLock;
import io.distributionlock.testing.LockContextRunner;
import io.distributionlock.testing.ScriptedLockExecutor;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Lazy;
import reactor.core.publisher.Mono;

/** Templates over one executor reach the same locks, so what one holds is entered again by another. */
class SeveralTemplatesTest {

    @Test
    void anAsynchronousCallEntersWhatACallAroundItHoldsByAnotherTemplate() {
        LockContextRunner.with(new ScriptedLockExecutor(), Templates.class).run(context -> {
            Service service = context.getBean(Service.class);
            assertThat(service.outer().block(Duration.ofSeconds(30))).isEqualTo("done");
        });
    }

    @Configuration(proxyBeanMethods = false)
    @Import(Service.class)
    static class Templates {

        @Bean
        LockTemplate one(LockExecutor executor) {
            return new LockTemplate(executor, LockDefaults.STANDARD);
        }

        @Bean
        LockTemplate two(LockExecutor executor) {
            return new LockTemplate(executor, LockDefaults.STANDARD);
        }
    }

    static class Service {

        @Lazy
        @Autowired
        Service self;

        @DistributionLock(key = "order", executor = "one")
        public Mono<String> outer() {
            return self.inner();
        }

        @DistributionLock(key = "order", executor = "two", tryLockTime = 0)
        public Mono<String> inner() {
            return Mono.just("done");
        }
    }
}
