package io.distributionlock.test;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributionlock.LockExecutor;
import io.distributionlock.annotation.DistributionLock;
import io.distributionlock.annotation.DistributionLockParam;
import io.distributionlock.autoconfigure.LockExecutors;
import io.distributionlock.local.LocalLockExecutor;
import io.distributionlock.redis.RedisLockExecutor;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.test.context.bean.override.convention.TestBean;

/** A test replaces a second executor of its application as it replaces any bean. */
@SpringBootTest
@LocalLocks
class SecondExecutorReplacedTest {

    @TestBean(name = "payments")
    LockExecutor payments;

    static LockExecutor payments() {
        return new LocalLockExecutor();
    }

    @Autowired
    PaymentService service;

    @Test
    void itsLocksNeedNoRedis() {
        assertThat(service.pay("A1001")).isEqualTo("paid A1001");
    }

    static class PaymentService {

        @DistributionLock(key = "pay", executor = "payments")
        public String pay(@DistributionLockParam String order) {
            return "paid " + order;
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import(PaymentService.class)
    static class Application {

        /** Nothing listens there. */
        @Bean(defaultCandidate = false)
        RedisLockExecutor payments(LockExecutors executors) {
            return executors.redis("redis://127.0.0.1:1");
        }
    }
}
