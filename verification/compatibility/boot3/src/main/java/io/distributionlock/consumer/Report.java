package io.distributionlock.consumer;

import io.distributionlock.LockNotAcquiredException;
import io.distributionlock.LockTemplate;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.springframework.aop.support.AopUtils;
import org.springframework.aot.AotDetector;
import org.springframework.boot.CommandLineRunner;
import org.springframework.boot.SpringBootVersion;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.stereotype.Component;

/** Prints one line for each thing that must be so. */
@Component
@ConditionalOnProperty(name = "partner", havingValue = "false", matchIfMissing = true)
class Report implements CommandLineRunner {

    private final OrderService orders;
    private final LockTemplate locks;
    private final StringRedisTemplate redis;

    Report(OrderService orders, LockTemplate locks, StringRedisTemplate redis) {
        this.orders = orders;
        this.locks = locks;
        this.redis = redis;
    }

    @Override
    public void run(String... arguments) {
        StatusChange change = new StatusChange("A1001", 2);
        say("boot", SpringBootVersion.getVersion());
        say("client", redis.getRequiredConnectionFactory().getClass().getSimpleName());
        say("aot", AotDetector.useGeneratedArtifacts());
        say("proxied", AopUtils.isAopProxy(orders));
        say("owned while it runs", orders.update("A1001", () -> String.valueOf(isOwned("updateOrderStatus:A1001"))));
        say("owned afterwards", isOwned("updateOrderStatus:A1001"));
        say("second caller", orders.update("A1001", () -> elsewhere(() -> orders.update("A1001", () -> "ran"))));
        say("fallback", orders.change(change, () -> elsewhere(() -> orders.change(change, () -> "ran"))));
        say(
                "mapper",
                orders.answer(() -> elsewhere(() -> orders.answer(() -> "ran").text()))
                        .text());
        say(
                "job",
                orders.nightly(() -> elsewhere(() -> orders.nightly(() -> "ran").orElse("skipped")))
                        .orElse("skipped by all"));
        say("by hand", locks.execute("updateOrderStatus:A1001", () -> orders.update("A1001", () -> "entered again")));
        say("fenced", orders.fenced(change, 0));
    }

    private boolean isOwned(String name) {
        return redis.opsForValue().get("distribution-lock:{" + name + "}") != null;
    }

    private static String elsewhere(Supplier<String> call) {
        try {
            return CompletableFuture.supplyAsync(call)
                    .exceptionally(failure -> {
                        if (failure.getCause() instanceof LockNotAcquiredException busy) {
                            return busy.reason().name();
                        }
                        throw new IllegalStateException(failure);
                    })
                    .join();
        } catch (RuntimeException e) {
            return e.toString();
        }
    }

    private static void say(String what, Object answer) {
        System.out.println("[" + what + "] " + answer);
    }
}
