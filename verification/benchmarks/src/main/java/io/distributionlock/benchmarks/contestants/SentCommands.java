package io.distributionlock.benchmarks.contestants;

import io.lettuce.core.protocol.RedisCommand;
import io.lettuce.core.resource.NettyCustomizer;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.util.AttributeKey;
import java.util.Collection;
import java.util.concurrent.atomic.LongAdder;
import org.redisson.client.NettyHook;
import org.redisson.client.protocol.CommandData;
import org.redisson.client.protocol.CommandsData;

/**
 * Counts the commands that a client passes to its connection. Redis's own counts also include commands called by scripts. All
 * clients are counted in the same way and at the same cost.
 */
@ChannelHandler.Sharable
public final class SentCommands extends ChannelOutboundHandlerAdapter {

    /** Whether a connection has received something since it sent something. */
    private static final AttributeKey<Boolean> ANSWERED = AttributeKey.valueOf(SentCommands.class, "answered");

    private final LongAdder commands = new LongAdder();
    private final LongAdder batches = new LongAdder();
    private final LongAdder roundTrips = new LongAdder();

    SentCommands() {}

    /** Commands so far. */
    public long commands() {
        return commands.sum();
    }

    /** Flushes of a connection so far: commands that left together count once. */
    public long batches() {
        return batches.sum();
    }

    /** How often a connection has sent something after an answer so far: what left without waiting for answers counts once. */
    public long roundTrips() {
        return roundTrips.sum();
    }

    NettyCustomizer forLettuce() {
        return new NettyCustomizer() {
            @Override
            public void afterChannelInitialized(Channel channel) {
                addTo(channel);
            }
        };
    }

    NettyHook forRedisson() {
        return new NettyHook() {
            @Override
            public void afterBoostrapInitialization(io.netty.bootstrap.Bootstrap bootstrap) {
                // Only its channels are of interest.
            }

            @Override
            public void afterChannelInitialization(Channel channel) {
                addTo(channel);
            }
        };
    }

    private void addTo(Channel channel) {
        // Answers pass the first handler, and commands the last.
        channel.pipeline().addFirst(new Answers()).addLast(this);
    }

    private static final class Answers extends ChannelInboundHandlerAdapter {

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            context.channel().attr(ANSWERED).set(true);
            context.fireChannelRead(message);
        }
    }

    @Override
    public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
        commands.add(commandsIn(message));
        context.write(message, promise);
    }

    @Override
    public void flush(ChannelHandlerContext context) {
        batches.increment();
        if (!Boolean.FALSE.equals(context.channel().attr(ANSWERED).getAndSet(false))) {
            roundTrips.increment();
        }
        context.flush();
    }

    private static int commandsIn(Object message) {
        if (message instanceof RedisCommand || message instanceof CommandData) {
            return 1;
        }
        if (message instanceof Collection<?> several) {
            return several.size();
        }
        if (message instanceof CommandsData several) {
            return several.getCommands().size();
        }
        return 0;
    }
}
