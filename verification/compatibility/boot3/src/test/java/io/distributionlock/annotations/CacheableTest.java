package io.distributionlock.annotations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.distributionlock.Lease;
import io.distributionlock.annotation.DistributionLock;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.springframework.cache.annotation.CacheEvict;
import org.springframework.cache.annotation.Cacheable;
import org.springframework.cache.annotation.EnableCaching;
import org.springframework.cache.concurrent.ConcurrentMapCache;
import org.springframework.cache.support.SimpleCacheManager;
import org.springframework.context.annotation.Configuration;

/** The lock and the annotations of a cache on one method. */
class CacheableTest {

    private final Trace trace = new Trace();

    @Test
    void byDefaultTheCacheIsAskedUnderTheLock() {
        trace.application(CacheAnywhere.class, TracedCaches.class, Prices.class).run(context -> {
            Prices prices = context.getBean(Prices.class);
            prices.of("tea");
            assertThat(trace.next()).containsExactly("lock price", "look", "run", "put", "unlock price");
            prices.of("tea");
            assertThat(trace.next()).containsExactly("lock price", "look", "unlock price");
            prices.change("tea");
            assertThat(trace.next()).containsExactly("lock price", "run", "evict", "unlock price");
        });
    }

    @Test
    void anEarlierCacheAnswersWithoutTheLock() {
        trace.application(CacheFirst.class, TracedCaches.class, Prices.class)
                .withPropertyValues(Trace.LATER)
                .run(context -> {
                    Prices prices = context.getBean(Prices.class);
                    prices.of("tea");
                    assertThat(trace.next()).containsExactly("look", "lock price", "run", "unlock price", "put");
                    prices.of("tea");
                    assertThat(trace.next()).containsExactly("look");
                    prices.change("tea");
                    assertThat(trace.next()).containsExactly("lock price", "run", "unlock price", "evict");
                });
    }

    @Test
    void byDefaultOnlyOneOfTheCallsThatWaitRuns() {
        trace.application(CacheAnywhere.class, TracedCaches.class, Prices.class)
                .run(context -> assertThat(runsOfTwoThatWait(context.getBean(Prices.class)))
                        .isEqualTo(1));
    }

    @Test
    void behindAnEarlierCacheAllOfThemRun() {
        trace.application(CacheFirst.class, TracedCaches.class, Prices.class)
                .withPropertyValues(Trace.LATER)
                .run(context -> assertThat(runsOfTwoThatWait(context.getBean(Prices.class)))
                        .isEqualTo(2));
    }

    private int runsOfTwoThatWait(Prices prices) {
        Lease held = trace.locks().occupy("price");
        CompletableFuture<?> one = CompletableFuture.runAsync(() -> prices.of("tea"));
        CompletableFuture<?> other = CompletableFuture.runAsync(() -> prices.of("tea"));
        await().until(() -> trace.locks().waiting() == 2);
        held.release();
        CompletableFuture.allOf(one, other).join();
        return Collections.frequency(trace.steps(), "run");
    }

    @Configuration(proxyBeanMethods = false)
    @EnableCaching
    static class CacheAnywhere {}

    @Configuration(proxyBeanMethods = false)
    @EnableCaching(order = 900)
    static class CacheFirst {}

    static class Prices {

        private final Trace trace;

        Prices(Trace trace) {
            this.trace = trace;
        }

        @DistributionLock(key = "price", tryLockTime = 30_000)
        @Cacheable("prices")
        public int of(String product) {
            trace.add("run");
            return product.length();
        }

        @DistributionLock(key = "price")
        @CacheEvict(cacheNames = "prices", key = "#product")
        public void change(String product) {
            trace.add("run");
        }
    }

    static class TracedCaches extends SimpleCacheManager {

        TracedCaches(Trace trace) {
            setCaches(List.of(new TracedCache(trace)));
        }
    }

    static class TracedCache extends ConcurrentMapCache {

        private final Trace trace;

        TracedCache(Trace trace) {
            super("prices");
            this.trace = trace;
        }

        @Override
        protected Object lookup(Object key) {
            trace.add("look");
            return super.lookup(key);
        }

        @Override
        public void put(Object key, Object value) {
            trace.add("put");
            super.put(key, value);
        }

        @Override
        public void evict(Object key) {
            trace.add("evict");
            super.evict(key);
        }
    }
}
