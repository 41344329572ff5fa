package io.distributionlock.playground.setup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributionlock.playground.FreePorts;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.output.ArrayOutput;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.ProtocolKeyword;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What other users of this machine, who can connect, cannot do. */
@DisabledOnOs(OS.WINDOWS)
class EmbeddedRedisIT {

    @TempDir
    private Path data;

    @Test
    void noCommandMakesItRunCodeOrWriteFiles() {
        int port = FreePorts.next();
        try (EmbeddedRedis redis = EmbeddedRedis.startOrJoin(port, data, "look into its log");
                RedisClient client = RedisClient.create(RedisURI.create("127.0.0.1", port));
                StatefulRedisConnection<String, String> anybody = client.connect()) {
            assertThat(redis.port()).isEqualTo(port);
            assertThat(anybody.sync().set("lock", "held")).isEqualTo("OK");

            for (String command : new String[] {
                "SAVE",
                "BGSAVE",
                "BGREWRITEAOF",
                "MIGRATE 127.0.0.1 1 lock 0 100",
                "RESTORE copied 0 x",
                "FLUSHALL",
                "SWAPDB 0 1",
                "MONITOR",
                "SYNC",
                "CLIENT KILL TYPE normal",
                "CONFIG REWRITE",
                "CONFIG SET dir /tmp",
                "CONFIG SET dbfilename evil",
                "MODULE LOAD /tmp/evil.so",
                "REPLICAOF 127.0.0.1 1",
                "SLAVEOF 127.0.0.1 1",
                "DEBUG RELOAD",
                "ACL SETUSER default +@all"
            }) {
                assertThatThrownBy(() -> run(anybody, command.split(" ")))
                        .as(command)
                        .hasMessageMatching("(?s).*(NOPERM|command not allowed).*");
            }
        }
    }

    @ParameterizedTest
    @CsvSource({
        "Redis server v=6.2.11 sha=00000000:0 malloc=jemalloc-5.1.0 bits=64, false",
        "Redis server v=6.0.16 sha=00000000:0, false",
        "Redis server v=6.2.20 sha=00000000:0, true",
        "Redis server v=7.0.15 sha=00000000:0, true",
        "Valkey server v=8.1.4 sha=00000000:0, true",
        "something else, false",
    })
    void aNewerServerThatIsInstalledIsPreferred(String version, boolean preferred) {
        assertThat(RedisProgram.isNewerThanInTheJar(version)).isEqualTo(preferred);
    }

    private static void run(StatefulRedisConnection<String, String> connection, String... words) {
        CommandArgs<String, String> arguments = new CommandArgs<>(StringCodec.UTF8);
        for (int i = 1; i < words.length; i++) {
            arguments.add(words[i]);
        }
        connection.sync().dispatch(new Word(words[0]), new ArrayOutput<>(StringCodec.UTF8), arguments);
    }

    private record Word(String text) implements ProtocolKeyword {

        @Override
        public byte[] getBytes() {
            return text.getBytes(StandardCharsets.US_ASCII);
        }
    }
}
