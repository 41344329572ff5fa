package io.distributionlock.benchmarks.contestants;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.SetArgs;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.output.IntegerOutput;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.ProtocolKeyword;
import io.lettuce.core.resource.ClientResources;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * What many would write: {@code SET NX PX}, and then deleting the key if it is still the holder's, by {@code DELEX} where the server
 * knows it (Redis 8.4) and otherwise by a script. One connection, each command sent by itself. It does not wait, renew, re-enter or
 * count fencing tokens; its only use is to be compared with. It is no lower bound: who sends the commands of many threads together is
 * faster.
 */
final class BareContestant implements Contestant {

    private static final String DELETE_IF_OURS =
            "if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) else return 0 end";

    private static final ProtocolKeyword DELEX = () -> "DELEX".getBytes(StandardCharsets.US_ASCII);

    private final SentCommands sent = new SentCommands();
    private final ClientResources resources;
    private final RedisClient client;
    private final StatefulRedisConnection<String, String> connection;
    private final RedisCommands<String, String> redis;
    private final String deleteIfOurs;
    private final boolean serverCompares;
    private final SetArgs ifFree;
    private final String process = UUID.randomUUID().toString();
    private final AtomicLong count = new AtomicLong();

    BareContestant(Terms terms) {
        this.ifFree = SetArgs.Builder.nx().px(terms.lease());
        this.resources =
                ClientResources.builder().nettyCustomizer(sent.forLettuce()).build();
        this.client =
                RedisClient.create(resources, RedisURI.create(terms.redis().url()));
        this.connection = client.connect();
        this.redis = connection.sync();
        this.deleteIfOurs = redis.scriptLoad(DELETE_IF_OURS);
        // An unknown command has an empty entry.
        this.serverCompares = redis.commandInfo("DELEX").get(0) instanceof List<?> entry && !entry.isEmpty();
    }

    @Override
    public @Nullable Held acquire(String name) {
        String owner = process + ":" + count.incrementAndGet();
        if (redis.set(name, owner, ifFree) == null) {
            return null;
        }
        return () -> release(name, owner) == 1;
    }

    private long release(String name, String owner) {
        if (serverCompares) {
            CommandArgs<String, String> arguments =
                    new CommandArgs<>(StringCodec.UTF8).addKey(name).add("IFEQ").addValue(owner);
            return redis.dispatch(DELEX, new IntegerOutput<>(StringCodec.UTF8), arguments);
        }
        return redis.<Long>evalsha(deleteIfOurs, ScriptOutputType.INTEGER, new String[] {name}, owner);
    }

    @Override
    public SentCommands sent() {
        return sent;
    }

    @Override
    public void close() {
        connection.close();
        client.shutdown();
        resources.shutdown();
    }
}
