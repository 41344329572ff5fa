package io.distributionlock.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.distributionlock.testing.TcpProxy.Direction;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class TcpProxyTest {

    private final RedisProcess redis = RedisProcess.start();
    private final TcpProxy proxy = new TcpProxy(redis.port());
    private RespClient client;

    @BeforeEach
    void connect() throws IOException {
        client = new RespClient(proxy.port());
    }

    @AfterEach
    void end() {
        client.close();
        proxy.close();
        redis.close();
        await().untilAsserted(() -> assertThat(Thread.getAllStackTraces().keySet())
                .noneMatch(thread -> thread.getName().startsWith("tcp-proxy-")));
    }

    @Test
    void bytesPassBothWays() {
        String large = "x".repeat(1_000_000);
        assertThat(client.command("ECHO", large)).isEqualTo(large);
    }

    @Test
    void latencyIsAddedEachWay() {
        proxy.latency(Duration.ofMillis(150));
        long start = System.nanoTime();
        client.command("PING");
        assertThat(Duration.ofNanos(System.nanoTime() - start))
                .isBetween(Duration.ofMillis(300), Duration.ofSeconds(8));
    }

    @Test
    void whatIsStuckOnTheWayThereDoesNotRunUntilItFlows() {
        proxy.stick(Direction.TO_SERVER);
        CompletableFuture<Object> reply = CompletableFuture.supplyAsync(() -> client.command("SET", "key", "value"));
        assertThat(redis.command("EXISTS", "key")).isEqualTo(0L);
        assertThat(reply).isNotDone();

        proxy.flow();
        await().untilAsserted(() -> assertThat(reply).isCompletedWithValue("OK"));
        assertThat(redis.command("EXISTS", "key")).isEqualTo(1L);
    }

    @Test
    void whatIsStuckOnTheWayBackHasRun() {
        proxy.stick(Direction.TO_CLIENT);
        CompletableFuture<Object> reply = CompletableFuture.supplyAsync(() -> client.command("SET", "key", "value"));
        await().untilAsserted(() -> assertThat(redis.command("EXISTS", "key")).isEqualTo(1L));
        assertThat(reply).isNotDone();

        proxy.flow();
        await().untilAsserted(() -> assertThat(reply).isCompletedWithValue("OK"));
    }

    @Test
    void aCutEndsConnectionsAndNewOnesCanBeMade() throws IOException {
        client.command("PING");
        proxy.cut();
        assertThatThrownBy(() -> client.command("PING")).isInstanceOf(UncheckedIOException.class);
        client.close();
        client = new RespClient(proxy.port());
        assertThat(client.command("PING")).isEqualTo("PONG");
    }

    @Test
    void whileRefusingNoConnectionIsOfUse() throws IOException {
        proxy.refuse(true);
        try (RespClient refused = new RespClient(proxy.port())) {
            assertThatThrownBy(() -> refused.command("PING")).isInstanceOf(UncheckedIOException.class);
        }
        proxy.refuse(false);
        try (RespClient accepted = new RespClient(proxy.port())) {
            assertThat(accepted.command("PING")).isEqualTo("PONG");
        }
    }
}
