package io.distributionlock.redis.message;

import io.distributionlock.internal.Failures;
import io.distributionlock.internal.MessageText;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * By which channels the messages travel at present. Begins with the best that may be possible, and goes on to the next when the servers
 * refuse it: from sharded to classic channels unless told otherwise, and from these to none. Trying is the only question that every server
 * answers: COMMAND and INFO may be forbidden.
 */
final class MessageTransport {

    private static final Log log = LogFactory.getLog(MessageTransport.class);

    private static final String PROPERTY = "distribution-lock.redis.messages";

    private final MessageMode wanted;
    private final AtomicReference<MessageMode> present;

    /** In which mode this process can send messages but receive none, if any: as with Jedis in a Cluster, whose others use sharded channels. */
    private volatile @Nullable MessageMode publishOnly;

    /** @param cluster whether channels may be sharded */
    MessageTransport(MessageMode wanted, boolean cluster) {
        this.wanted = wanted;
        this.present = new AtomicReference<>(
                wanted == MessageMode.NONE
                        ? MessageMode.NONE
                        : cluster && wanted != MessageMode.CLASSIC ? MessageMode.SHARDED : MessageMode.CLASSIC);
    }

    /** {@code CLASSIC}, {@code SHARDED} or {@code NONE}. */
    MessageMode present() {
        return Objects.requireNonNull(present.get());
    }

    /** Whether this process cannot be notified, and so has to poll. */
    boolean polls() {
        MessageMode mode = present();
        return mode == MessageMode.NONE || mode == publishOnly;
    }

    /** In this mode, this process can send messages but receive none, at least for now. */
    void receivesNoneIn(MessageMode mode) {
        publishOnly = mode;
    }

    void receives() {
        publishOnly = null;
    }

    /**
     * The servers have refused this mode, which is not used any more.
     *
     * @return whether it was used until now
     */
    boolean refused(MessageMode mode, Throwable refusal) {
        MessageMode next =
                mode == MessageMode.SHARDED && wanted == MessageMode.AUTO ? MessageMode.CLASSIC : MessageMode.NONE;
        if (!present.compareAndSet(mode, next)) {
            return false;
        }
        if (next == MessageMode.NONE) {
            log.warn("Redis refuses the messages that notify waiting acquires of a release (" + quoted(refusal)
                    + "). Waiting acquires poll instead, from now on until this application restarts. Grant the user the permissions"
                    + " of the documentation, or set " + PROPERTY + "=none.");
        } else if (isPermission(refusal)) {
            log.warn("The Redis user may not use sharded channels (" + quoted(refusal)
                    + "). Messages travel to every node of the Cluster instead. Grant +ssubscribe +sunsubscribe"
                    + " +spublish, or set " + PROPERTY + "=classic.");
        } else {
            log.info("The Redis Cluster has no sharded channels (" + quoted(refusal)
                    + "). Messages travel to each of its nodes (" + PROPERTY + ").");
        }
        return true;
    }

    /** Whether the servers will refuse the same again. */
    static boolean isRefusal(@Nullable Throwable failure) {
        return isPermission(failure)
                || Failures.isAny(
                        failure, cause -> cause instanceof UnsupportedOperationException || saysUnknown(cause));
    }

    private static boolean isPermission(@Nullable Throwable failure) {
        return Failures.isAny(
                failure, cause -> String.valueOf(cause.getMessage()).contains("NOPERM"));
    }

    private static boolean saysUnknown(Throwable cause) {
        String text = String.valueOf(cause.getMessage()).toLowerCase(Locale.ROOT);
        return text.contains("unknown command")
                || text.contains("not supported")
                || text.contains("not allowed")
                || text.contains("not available");
    }

    /** What Redis says, without what clients say around it, and without the arguments that it repeats. */
    private static String quoted(Throwable refusal) {
        String text = Failures.causes(refusal)
                .map(Throwable::getMessage)
                .filter(Objects::nonNull)
                .reduce((outer, inner) -> inner)
                .orElse(String.valueOf(refusal));
        int arguments = text.indexOf(", with args");
        return '"' + MessageText.of(arguments < 0 ? text : text.substring(0, arguments)) + '"';
    }
}
