package io.distributionlock.redis;

import io.distributionlock.backend.TryAgainException;
import io.distributionlock.internal.BackendProblemException;
import io.distributionlock.internal.Failures;
import io.distributionlock.internal.MessageText;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * Explains failures of Redis clients, and what to do about them. Recognises them by the answer of the server, which is the same for
 * every client.
 */
final class RedisErrorExplanations {

    private static final int DEEPEST_CAUSE = 20;

    private static final String LACKS_PERMISSIONS =
            "The Redis user of the application lacks permissions that locks need";

    private static final Pattern STATES_OF_THE_SERVER =
            Pattern.compile("\\b(READONLY|OOM|MISCONF|NOREPLICAS|MASTERDOWN|LOADING|CLUSTERDOWN|TRYAGAIN)\\b");

    private static final Pattern PLACE_IN_SCRIPT = Pattern.compile("^(ERR )?(@user_script: ?\\d+: )?");

    /** The classes by which Lettuce and Jedis report an error that the server has answered. */
    private static final Set<String> REPLIES = Set.of("RedisCommandExecutionException", "JedisDataException");

    private RedisErrorExplanations() {}

    /**
     * Wraps the failure in an explanation. Returns it unchanged if there is none to add, if it has one already, or if it may be
     * temporary.
     *
     * @param call that failed
     */
    static Throwable explained(Throwable failure, LockCall<?> call) {
        return failure instanceof TryAgainException ? failure : explained(failure, theKeyOf(call));
    }

    /** The same for what is no call for a lock, also if the failure may be temporary. */
    static Throwable explainedEvenIfTemporary(Throwable failure) {
        return explained(failure, "A key of the lock");
    }

    /** The key of the owner, which the others begin with. */
    private static String theKeyOf(LockCall<?> call) {
        return "The Redis key '" + MessageText.of(new String(call.key(), StandardCharsets.UTF_8))
                + "', or one that begins so,";
    }

    private static Throwable explained(Throwable failure, String keys) {
        Throwable cause = failure;
        for (int depth = 0; cause != null && depth < DEEPEST_CAUSE; depth++) {
            if (cause instanceof BackendProblemException) {
                return cause;
            }
            BackendProblemException problem = explanation(cause, failure, keys);
            if (problem != null) {
                return problem;
            }
            cause = cause.getCause();
        }
        return failure;
    }

    private static @Nullable BackendProblemException explanation(Throwable cause, Throwable failure, String keys) {
        String said = cause.getMessage() == null ? "" : cause.getMessage();
        String text = said.toLowerCase(Locale.ROOT);
        if (isAboutPermissions(text)) {
            return problem(
                    LACKS_PERMISSIONS + " (" + said + ").",
                    "Grant them, with your key prefix: " + grant(RedisPortSettings.DEFAULT_KEY_PREFIX),
                    failure);
        }
        if (says(text, "wrongpass")
                || says(text, "err invalid password")
                || text.contains("invalid username-password")) {
            return problem(
                    "Redis refuses the user name or the password (" + said + ").",
                    "Correct spring.data.redis.username and spring.data.redis.password, or the credentials in"
                            + " spring.data.redis.url.",
                    failure);
        }
        if (says(text, "noauth") || text.contains("hello must be called with the client already authenticated")) {
            return problem(
                    "Redis requires a password, and the application sends none (" + said + ").",
                    "Set spring.data.redis.password, and spring.data.redis.username unless it is the default user's.",
                    failure);
        }
        if (text.contains("called without any password configured")) {
            return problem(
                    "The application sends a password, and the default user of Redis has none (" + said + ").",
                    "Remove spring.data.redis.password, or set spring.data.redis.username as well.",
                    failure);
        }
        // Lettuce closes a refused connection, and may report that before the refusal.
        if (text.contains("connection closed prematurely")) {
            return problem(
                    "The connection to Redis was closed while it was being established (" + said + ").",
                    "Correct spring.data.redis.username and spring.data.redis.password if Redis refuses them."
                            + " Otherwise check that both sides or neither use TLS, and that Redis has connections left"
                            + " (maxclients).",
                    failure);
        }
        if (cause instanceof UnknownHostException) {
            return problem(
                    "The host name of Redis cannot be resolved (" + said + ").",
                    "Correct spring.data.redis.host or spring.data.redis.url, or make the name resolvable; it is looked up"
                            + " again at each attempt.",
                    failure);
        }
        if (text.contains("db index is out of range")) {
            return problem(
                    "Redis has no database with that number (" + said + ").",
                    "Correct spring.data.redis.database: by default there are 16, from 0; a Cluster has only" + " 0.",
                    failure);
        }
        if (text.contains("max number of clients")) {
            return problem(
                    "Redis accepts no more connections (" + said + ").",
                    "Raise maxclients of Redis, or find the client that leaves connections open (CLIENT LIST).",
                    failure);
        }
        if (text.contains("waiting for idle object") || text.contains("pool exhausted")) {
            return problem(
                    "The connection pool of the application has no connection left for the locks (" + said + ").",
                    "Raise spring.data.redis.jedis.pool.max-active: locks use up to nine connections, one of them for"
                            + " messages about releases.",
                    failure);
        }
        if (cause instanceof SocketException && text.contains("reset") && isAboutConnecting(failure)) {
            return problem(
                    "Redis, or a proxy before it, closed the connection while it was being established (" + said + ").",
                    "Check that both sides or neither use TLS: set spring.data.redis.ssl.enabled=true if Redis requires it.",
                    failure);
        }
        if (text.contains("write commands not allowed after non deterministic commands")) {
            return tooOld("one before 5.0", failure);
        }
        if (text.contains("unknown command") && (text.contains("eval") || text.contains("script"))) {
            return problem(
                    "The server in spring.data.redis.* runs no scripts (" + said + ").",
                    "Name a Redis " + ServerInfo.OLDEST + " or later there, not a Sentinel (those belong in"
                            + " spring.data.redis.sentinel.*) or a proxy that hides commands.",
                    failure);
        }
        if (text.contains("should be passed using the keys array")) {
            return problem(
                    "A proxy before Redis refuses the scripts of the locks (" + said + ").",
                    "Set script_check_enable to 0 in the parameters of the service: all keys of a lock are passed as KEYS"
                            + " and are in one slot. Or use a Redis without such a proxy.",
                    failure);
        }
        if (isAboutUnknownCommand(text)) {
            return problem(
                    "Redis does not know a command that locks need (" + said + ").",
                    "Use Redis " + ServerInfo.OLDEST
                            + " or later, or a service that does not hide the command. WAIT is"
                            + " only needed for distribution-lock.redis.min-replicas-to-ack.",
                    failure);
        }
        if (says(text, "moved ") || says(text, "clusterdown") || says(text, "crossslot")) {
            return problem(
                    "The application uses a node of a Redis Cluster like a single server, or the Cluster is"
                            + " incomplete ("
                            + said + ").",
                    "Set spring.data.redis.cluster.nodes instead of spring.data.redis.host, and check that all slots are"
                            + " served (CLUSTER INFO).",
                    failure);
        }
        if (says(text, "readonly") || text.contains("-readonly")) {
            return problem(
                    "The application is connected to a replica, which cannot grant locks (" + said + ").",
                    "Set spring.data.redis.* to the master, the Sentinels or the Cluster.",
                    failure);
        }
        if (says(text, "wrongtype")) {
            return problem(
                    keys + " holds a value that no lock has written (" + said + "): another application uses that key.",
                    "Delete that key, or set another distribution-lock.redis.key-prefix for these locks.",
                    failure);
        }
        if (says(text, "oom ") || text.contains("-oom ")) {
            return problem(
                    "Redis has no memory left for a lock (" + said + ").",
                    "Raise maxmemory or free memory; keep maxmemory-policy at noeviction.",
                    failure);
        }
        return explanationOfTls(cause, said, failure);
    }

    private static @Nullable BackendProblemException explanationOfTls(Throwable cause, String said, Throwable failure) {
        if (cause instanceof SSLException) {
            return problem(
                    "Redis and the application do not agree on TLS (" + said + ").",
                    "Check that Redis uses TLS at this port, that the SSL bundle in spring.data.redis.ssl.bundle"
                            + " trusts the certificate of Redis, that the certificate names the host in"
                            + " spring.data.redis.host, and that the bundle has a client certificate if Redis requires"
                            + " one.",
                    failure);
        }
        return null;
    }

    /**
     * Explains a failure for want of an answer. Returns any other unchanged.
     *
     * @param obstacle why no answer could be expected
     */
    static Throwable ofSilence(Throwable failure, ScriptSender.Obstacle obstacle) {
        if (!isSilence(failure)) {
            return failure;
        }
        return problem(obstacle.description(), obstacle.cure(), failure);
    }

    /** Whether a command or a connection had no answer in time, as reported by the JDK or, recognised by class name, by a client. */
    static boolean isSilence(Throwable failure) {
        if (failure instanceof BackendProblemException) {
            return false;
        }
        return Failures.isAny(failure, cause -> cause.getClass().getSimpleName().endsWith("TimeoutException"));
    }

    static BackendProblemException tooOld(String version, @Nullable Throwable failure) {
        return problem(
                "The version of Redis is too old: it is " + version + ", and locks need " + ServerInfo.OLDEST
                        + " or later.",
                "Upgrade Redis, or set spring.data.redis.* to another server.",
                failure);
    }

    /** Whether Redis refused a command, which before Redis 8 it does not name in a script. */
    static boolean isRefusedCommand(BackendProblemException problem) {
        String text = problem.description().toLowerCase(Locale.ROOT);
        return isAboutPermissions(text) || isAboutUnknownCommand(text);
    }

    /** Whether the error is about the server's state (a replica, full memory), not about the command. */
    static boolean isStateOfServer(String error) {
        return STATES_OF_THE_SERVER.matcher(error).find();
    }

    /**
     * Explains what {@code commands.lua} has found.
     *
     * @param refusals lines of a command, a space, and the error
     */
    static BackendProblemException refusedCommands(List<String> refusals, String keyPrefix) {
        Map<String, String> commandsByError = new LinkedHashMap<>();
        for (String refusal : refusals) {
            int space = refusal.indexOf(' ');
            String error = PLACE_IN_SCRIPT.matcher(refusal.substring(space + 1)).replaceFirst("");
            commandsByError.merge(error, refusal.substring(0, space), (some, another) -> some + ", " + another);
        }
        String list = commandsByError.entrySet().stream()
                .map(entry -> entry.getValue() + " (" + entry.getKey() + ")")
                .collect(Collectors.joining("; "));
        if (isAboutPermissions(list.toLowerCase(Locale.ROOT))) {
            return problem(LACKS_PERMISSIONS + ": " + list + ".", "Grant them: " + grant(keyPrefix), null);
        }
        return problem(
                "Redis refuses commands that the scripts of the locks need: " + list + ".",
                "Use Redis " + ServerInfo.OLDEST + " or later, or a service that allows these commands in scripts.",
                null);
    }

    /** A refusal in a script has words of its own. */
    private static boolean isAboutPermissions(String text) {
        return says(text, "noperm")
                || text.contains("-noperm")
                || text.contains("the user executing the script can't")
                // From Redis 8 on.
                || text.contains("acl failure in script");
    }

    private static boolean isAboutUnknownCommand(String text) {
        return text.contains("unknown command") || text.contains("unknown redis command");
    }

    private static String grant(String keyPrefix) {
        return "ACL SETUSER <user> " + RedisAcl.rule(keyPrefix)
                + " (and" + RedisAcl.inCluster()
                + " in a Cluster, the last three from Redis 7 on; +wait if distribution-lock.redis.min-replicas-to-ack is set, +info if"
                + " distribution-lock.quorum.restart-delay is).";
    }

    private static boolean isAboutConnecting(Throwable failure) {
        String said = failure.getMessage();
        return said != null && said.toLowerCase(Locale.ROOT).contains("unable to connect");
    }

    private static boolean says(String text, String start) {
        return text.startsWith(start) || text.contains(": " + start) || text.contains("; " + start);
    }

    private static BackendProblemException problem(String description, String cure, @Nullable Throwable cause) {
        return new BackendProblemException(description, cure, cause, isReply(cause));
    }

    /** Whether the server has answered. What a connection reports says nothing of the command that it carried. */
    static boolean isReply(@Nullable Throwable failure) {
        return failure != null && Failures.isAny(failure, cause -> reportsReply(cause.getClass()));
    }

    private static boolean reportsReply(@Nullable Class<?> type) {
        return type != null && (REPLIES.contains(type.getSimpleName()) || reportsReply(type.getSuperclass()));
    }
}
