package io.distributionlock.benchmarks.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributionlock.testing.RedisBinary;
import io.distributionlock.testing.RedisProcess;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class NetworkIT {

    @Test
    void roundTripsLastAsLongAsTheyShould() {
        try (RedisProcess redis = RedisProcess.start(RedisBinary.INSTALLED);
                Network network = new Network(redis.port())) {
            // A busy machine may add to it, but what is asked for is the least.
            assertThat(network.roundTrip(10).median()).isBetween(9.0, 100.0);
            assertThat(network.roundTrip(2).median()).isBetween(1.8, 15.0);
        }
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
