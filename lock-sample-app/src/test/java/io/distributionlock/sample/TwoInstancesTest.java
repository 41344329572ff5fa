package io.distributionlock.sample;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.ParameterizedTypeReference;
import org.springframework.web.client.RestClient;

/** Two instances with one Redis and one database. */
class TwoInstancesTest {

    private static final List<ConfigurableApplicationContext> INSTANCES = new ArrayList<>();

    @BeforeAll
    static void start() throws IOException {
        int redisPort = freePort();
        for (int i = 0; i < 2; i++) {
            INSTANCES.add(new SpringApplicationBuilder(SampleApplication.class)
                    .profiles("dev")
                    .run(
                            "--server.port=0",
                            "--spring.data.redis.port=" + redisPort,
                            "--spring.datasource.url=jdbc:h2:mem:two-instances",
                            "--spring.sql.init.data-locations=",
                            "--sample.work-time=2s"));
        }
    }

    @AfterAll
    static void stop() {
        // The first one started the Redis.
        for (int i = INSTANCES.size() - 1; i >= 0; i--) {
            INSTANCES.get(i).close();
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    @Test
    void ofManyChangesAtOnceEachOneThatIsDoneCounts() {
        Orders orders = INSTANCES.get(0).getBean(Orders.class);
        orders.insert(new Order("A1", "tea", OrderStatus.NOT_SENT, 1, 0));

        List<CompletableFuture<Resp<Order>>> calls = Stream.of(0, 1, 0, 1, 0, 1)
                .map(instance -> CompletableFuture.supplyAsync(
                        () -> update(INSTANCES.get(instance)), task -> new Thread(task).start()))
                .toList();
        List<Integer> codes = calls.stream().map(call -> call.join().code()).toList();

        assertThat(codes).isSubsetOf(0, 1).contains(0, 1);
        long done = codes.stream().filter(code -> code == 0).count();
        assertThat(orders.find("A1")).map(Order::changes).contains((int) done);
    }

    private static Resp<Order> update(ConfigurableApplicationContext instance) {
        String port = instance.getEnvironment().getProperty("local.server.port");
        return RestClient.create("http://localhost:" + port)
                .put()
                .uri("/api/v1/test/updateOrderStatus?orderCode=A1&userId=1&status=2")
                .retrieve()
                .body(new ParameterizedTypeReference<>() {});
    }
}
