package io.distributionlock.interceptor;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributionlock.LockTemplate;
import io.distributionlock.MultiLock;
import io.distributionlock.ReleaseResult;
import io.distributionlock.annotation.DistributionLock;
import io.distributionlock.annotation.DistributionLockParam;
import io.distributionlock.event.LockLostEvent;
import io.distributionlock.testing.LockContextRunner;
import io.distributionlock.testing.ScriptedLockExecutor;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.context.event.EventListener;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** A release whose answer never comes, while the property says not to wait for it. */
@Tag("boot4")
@Timeout(60)
class ConfirmReleaseTest {

    private final ScriptedLockExecutor executor = new ScriptedLockExecutor();

    private void with(Body test) {
        LockContextRunner.with(executor, Service.class)
                .withPropertyValues("distribution-lock.defaults.confirm-release=false")
                .run(context -> {
                    executor.withholdReleases();
                    test.run(context.getBean(Service.class), context.getBean(LockTemplate.class));
                    assertThat(executor.nothingHeldOrWaiting()).isTrue();
                });
    }

    @FunctionalInterface
    private interface Body {
        void run(Service service, LockTemplate template);
    }

    @Test
    void methodsReturn() {
        with((service, template) -> {
            assertThat(service.update("A1")).isEqualTo("updated");
            assertThat(service.updateAll(List.of("A1", "A2"))).isEqualTo("updated");
            assertThat(template.execute("code", () -> "done")).isEqualTo("done");
            assertThat(executor.answerReleases(ReleaseResult.RELEASED)).isEqualTo(4);
        });
    }

    @Test
    void asynchronousAndReactiveResultsComplete() {
        with((service, template) -> {
            assertThat(service.future("A1").join()).isEqualTo("updated");
            assertThat(service.mono("A1").block()).isEqualTo("updated");
            assertThat(service.flux("A1").collectList().block()).containsExactly("updated");
            assertThat(executor.answerReleases(ReleaseResult.RELEASED)).isEqualTo(3);
        });
    }

    @Test
    void aLossIsReportedWhenTheAnswerShowsIt() {
        with((service, template) -> {
            service.update("A1");
            service.mono("A2").block();
            assertThat(service.lost()).isEmpty();
            executor.answerReleases(ReleaseResult.LOST);
            Awaitility.await()
                    .atMost(Duration.ofSeconds(20))
                    .until(() -> service.lost().size() == 2);
            assertThat(service.lost()).containsExactlyInAnyOrder("order:A1", "order:A2");
        });
    }

    @Test
    void oneLockOfSeveralThatNeedsAnAnswerMakesAllWait() {
        with((service, template) -> {
            MultiLock both = MultiLock.of(
                    template,
                    List.of(
                            template.request("a").build(),
                            template.request("b").confirmRelease(true).build()));
            CompletableFuture<String> result =
                    CompletableFuture.supplyAsync(() -> both.execute(() -> "done"), work -> new Thread(work).start());
            Awaitility.await().atMost(Duration.ofSeconds(20)).until(() -> executor.withheldReleases() == 2);
            assertThat(result).isNotDone();
            assertThat(executor.answerReleases(ReleaseResult.RELEASED)).isEqualTo(2);
            assertThat(result).succeedsWithin(Duration.ofSeconds(20)).isEqualTo("done");
        });
    }

    static class Service {

        private final List<String> lost = new CopyOnWriteArrayList<>();

        @DistributionLock(key = "order")
        public String update(@DistributionLockParam String id) {
            return "updated";
        }

        @DistributionLock(key = "order")
        public String updateAll(@DistributionLockParam(each = true) List<String> ids) {
            return "updated";
        }

        @DistributionLock(key = "order")
        public CompletableFuture<String> future(@DistributionLockParam String id) {
            return CompletableFuture.completedFuture("updated");
        }

        @DistributionLock(key = "order")
        public Mono<String> mono(@DistributionLockParam String id) {
            return Mono.just("updated");
        }

        @DistributionLock(key = "order")
        public Flux<String> flux(@DistributionLockParam String id) {
            return Flux.just("updated");
        }

        public List<String> lost() {
            return lost;
        }

        @EventListener
        public void onLost(LockLostEvent event) {
            lost.add(event.lockName());
        }
    }
}
