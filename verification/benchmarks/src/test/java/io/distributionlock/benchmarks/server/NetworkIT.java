package io.distributionlock.benchmarks.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.distributionlock.testing.RedisBinary;
import io.distributionlock.testing.RedisProcess;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class NetworkIT {

    @Test
    void roundTripsLastAsLongAsTheyShould() {
        try (RedisProcess redis = RedisProcess.start(RedisBinary.INSTALLED);
                Network network = new Network(redis.port())) {
            awaitRoundTrip(network, 10);
            awaitRoundTrip(network, 2);
        }
    }

    /** A busy machine adds to it, and one that becomes more or less busy all the time leads the network astray: it tries again. */
    private static void awaitRoundTrip(Network network, double millis) {
        await().atMost(Duration.ofMinutes(2))
                .untilAsserted(
                        () -> assertThat(network.roundTrip(millis).median()).isBetween(.9 * millis, 10 * millis));
    }

    @Test
    void manyCommandsAreUnderWayAtOnceAndKeepTheirOrder() throws Exception {
        try (RedisProcess redis = RedisProcess.start(RedisBinary.INSTALLED);
                Network network = new Network(redis.port());
                Socket client = new Socket(InetAddress.getLoopbackAddress(), network.port())) {
            network.roundTrip(10);
            long begin = System.nanoTime();
            client.getOutputStream().write("INCR counter\r\n".repeat(500).getBytes(StandardCharsets.US_ASCII));
            BufferedReader answers =
                    new BufferedReader(new InputStreamReader(client.getInputStream(), StandardCharsets.US_ASCII));
            for (int i = 1; i <= 500; i++) {
                assertThat(answers.readLine()).isEqualTo(":" + i);
            }
            // One after the other, they would take five seconds.
            assertThat((System.nanoTime() - begin) / 1e9).isLessThan(3);
        }
    }
}
