package io.distributionlock.redis.message;

import io.distributionlock.backend.CommandListener;
import io.distributionlock.internal.Failures;
import io.distributionlock.internal.Internal;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * The messages of one process: sends those that scripts leave to it, and receives its own. Each process has a channel.
 *
 * <p>On one server the scripts publish themselves. In a Cluster the process that has called a script publishes afterwards: the channel of
 * another process is in a slot of its own, and a script must not use it where all channels are sharded. The next heartbeat makes up for a
 * message that is lost.
 *
 * <p>Thread-safe; only {@link #close} blocks.
 *
 * @hidden
 */
@Internal
public final class LockMessages implements AutoCloseable {

    /** Publishes over the connection of the commands. Never blocks. */
    @FunctionalInterface
    public interface Publisher {

        CompletableFuture<?> publish(String channel, String message, boolean sharded);
    }

    private static final Log log = LogFactory.getLog(LockMessages.class);

    private final MessageSettings settings;
    private final boolean cluster;
    private final String channelPrefix;
    private final String instance;
    private final Publisher publisher;
    private final MessageTransport transport;
    private final WakeListener listener;
    private volatile @Nullable CommandListener attached;

    /**
     * @param cluster whether the servers are known to be a Cluster
     * @param channelPrefix of the channels of all processes, which go on with the name of the process
     * @param instance the name of this process
     */
    public LockMessages(
            MessageSettings settings,
            boolean cluster,
            String channelPrefix,
            String instance,
            MessageCapability capability,
            Publisher publisher) {
        this.settings = settings;
        this.cluster = cluster;
        this.channelPrefix = channelPrefix;
        this.instance = instance;
        this.publisher = publisher;
        this.transport = new MessageTransport(settings.mode(), cluster);
        this.listener = new WakeListener(
                channelPrefix + instance,
                transport,
                capability,
                cluster,
                mode -> publish(instance, WakeMessage.ALIVE, mode));
    }

    /** The prefix of the channels to which scripts publish; empty if they leave that to the process that calls them. */
    public String channelPrefixOfScripts() {
        return cluster || settings.mode() == MessageMode.NONE ? "" : channelPrefix;
    }

    public void attach(CommandListener notified) {
        attached = notified;
        listener.attach(notified);
    }

    /** Receives messages from now on, or finds out that it cannot; in the background. Later calls do nothing. */
    public void listen() {
        listener.listen();
    }

    /** There is a waiter: checks from time to time, in the background, that messages arrive. */
    public void somebodyWaits() {
        listener.somebodyWaits();
    }

    /** Another connection was lost, so the connection of the messages may be dead too. */
    public void checkSoon() {
        listener.checkSoon();
    }

    /** For how long a waiting process may pause before it asks again, in ms; 0 if messages notify it. */
    public long pollMillis() {
        return transport.polls() ? settings.pollInterval().toMillis() : 0;
    }

    /**
     * Sends what a script has left to this process: in a Cluster everything, on one server what Redis refused to publish. Messages for
     * this process itself need no channel.
     *
     * @param lock the name of the lock
     * @param messages as {@code messages.lua} writes them
     */
    public void deliver(String lock, List<String> messages) {
        if (!cluster) {
            refused(MessageMode.CLASSIC, new UnsupportedOperationException("PUBLISH was refused in a script"));
        }
        for (String line : messages) {
            WakeMessage message = WakeMessage.ofScript(line, lock);
            CommandListener notified = attached;
            if (!message.instance().equals(instance)) {
                send(message, transport.present());
            } else if (notified != null) {
                message.dispatchTo(notified);
            }
        }
    }

    private void send(WakeMessage message, MessageMode mode) {
        if (mode == MessageMode.NONE) {
            return;
        }
        publish(message.instance(), message.text(), mode).whenComplete((receivers, failure) -> {
            if (MessageTransport.isRefusal(failure)) {
                refused(mode, failure);
                send(message, transport.present());
            } else if (failure != null) {
                log.debug("A message was not sent; the next heartbeat makes up for it", failure);
            }
        });
    }

    private CompletableFuture<?> publish(String receiver, String message, MessageMode mode) {
        return Failures.caught(() -> publisher.publish(channelPrefix + receiver, message, mode == MessageMode.SHARDED));
    }

    private void refused(MessageMode mode, Throwable refusal) {
        if (transport.refused(mode, refusal)) {
            listener.listenAnew();
        }
    }

    @Override
    public void close() {
        listener.close();
    }
}
