package io.distributionlock.redis;

import io.distributionlock.backend.TryAgainException;
import io.distributionlock.internal.BackendProblemException;
import io.distributionlock.internal.Failures;
import io.distributionlock.internal.MessageText;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
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

    private static final String LACKS_PERMISSIONS =
            "The Redis user of the application lacks permissions that locks need";

    /** A refusal in a script has words of its own. */
    private static final String PERMISSION_IN_SCRIPT =
            "-NOPERM|the user executing the script can't|ACL failure in script";

    private static final String UNKNOWN_COMMAND = "unknown (redis )?command";

    private static final Pattern REFUSED_COMMAND = pattern(PERMISSION_IN_SCRIPT + "|" + UNKNOWN_COMMAND);

    private static final Pattern STATES_OF_THE_SERVER =
            Pattern.compile("\\b(READONLY|OOM|MISCONF|NOREPLICAS|MASTERDOWN|LOADING|CLUSTERDOWN|TRYAGAIN)\\b");

    private static final Pattern PLACE_IN_SCRIPT = Pattern.compile("^(ERR )?(@user_script: ?\\d+: )?");

    /** The classes by which Lettuce and Jedis report an error that the server has answered. */
    private static final Set<String> REPLIES = Set.of("RedisCommandExecutionException", "JedisDataException");

    /** What an error says first, perhaps after the words of a client or of the script. */
    private static final String FIRST = "(: |; |-)";

    /** Follows the message of an error, if the client could not connect. */
    private static final String WHILE_CONNECTING = " (while connecting)";

    private static final String KEY = "{key}";

    /**
     * An error that users meet.
     *
     * @param sign found in the class and message of the error
     * @param description what is wrong; what was said follows in brackets
     */
    private record Known(Pattern sign, String description, String action) {

        Known(String sign, String description, String action) {
            this(pattern(sign), description, action);
        }
    }

    /** The first that fits explains an error. */
    private static final List<Known> KNOWN = List.of(
            new Known(
                    FIRST + "NOPERM|" + PERMISSION_IN_SCRIPT,
                    LACKS_PERMISSIONS,
                    "Grant them, with your key prefix: " + grant(RedisPortSettings.DEFAULT_KEY_PREFIX)),
            new Known(
                    FIRST + "(WRONGPASS|ERR invalid password)|invalid username-password",
                    "Redis refuses the user name or the password",
                    "Correct {credentials}."),
            new Known(
                    FIRST + "NOAUTH|HELLO must be called with the client already authenticated",
                    "Redis requires a password, and the application sends none",
                    "Set {password}, and {user} unless it is the default user's."),
            new Known(
                    "called without any password configured",
                    "The application sends a password, and the default user of Redis has none",
                    "Remove {password}, or set {user} as well."),
            // Lettuce closes a refused connection, and may report that before the refusal.
            new Known(
                    "Connection closed prematurely",
                    "The connection to Redis was closed while it was being established",
                    "Correct {credentials}, if Redis refuses them. Otherwise check that both sides or neither use TLS,"
                            + " and that Redis has connections left (maxclients)."),
            new Known(
                    "^UnknownHostException",
                    "The host name of Redis cannot be resolved",
                    "Correct {host}, or make the name resolvable; it is looked up again at each attempt."),
            new Known(
                    "DB index is out of range",
                    "Redis has no database with that number",
                    "Correct {database}: by default there are 16, from 0; a Cluster has only 0."),
            new Known(
                    "SocketException: .*reset.*" + Pattern.quote(WHILE_CONNECTING),
                    "Redis, or a proxy before it, closed the connection while it was being established",
                    "Check that both sides or neither use TLS: set {tls} if Redis requires it."),
            new Known(
                    "waiting for idle object|pool exhausted",
                    "The connection pool of the application has no connection left for the locks",
                    "Raise {pool}."),
            new Known(
                    "unknown command.*(eval|script)",
                    "The server in {servers} runs no scripts",
                    "Name a Redis " + ServerInfo.OLDEST + " or later there, not a Sentinel{sentinels} or a proxy that"
                            + " hides commands."),
            new Known(
                    "should be passed using the KEYS array",
                    "A proxy before Redis refuses the scripts of the locks",
                    "Set script_check_enable to 0 in the parameters of the service: all keys of a lock are passed as KEYS"
                            + " and are in one slot. Or use a Redis without such a proxy."),
            new Known(
                    UNKNOWN_COMMAND,
                    "Redis does not know a command that locks need",
                    "Use Redis " + ServerInfo.OLDEST + " or later, or a service that does not hide the command. WAIT is"
                            + " only needed for distribution-lock.redis.min-replicas-to-ack."),
            new Known(
                    FIRST + "(MOVED |CLUSTERDOWN|CROSSSLOT)",
                    "The application uses a node of a Redis Cluster like a single server, or the Cluster is incomplete",
                    "{cluster}, and check that all slots are served (CLUSTER INFO)."),
            new Known(
                    FIRST + "READONLY",
                    "The application is connected to a replica, which cannot grant locks",
                    "{master}."),
            new Known(
                    FIRST + "WRONGTYPE",
                    KEY + " holds a value that no lock has written",
                    "Delete that key, which another application uses, or set another distribution-lock.redis.key-prefix for"
                            + " these locks."),
            new Known(
                    FIRST + "OOM ",
                    "Redis has no memory left for a lock",
                    "Raise maxmemory or free memory; keep maxmemory-policy at noeviction."));

    /** What fits any of the causes of a failure of TLS. */
    private static final List<Known> TLS = List.of(
            new Known(
                    "^Certificate(Expired|NotYetValid)Exception",
                    "The certificate of Redis is not valid at this date",
                    "Renew the certificate of Redis, or the CA's, and check the clock of this machine."),
            new Known(
                    "certificate_expired",
                    "Redis refuses the certificate of the application, which is not valid at this date",
                    "Renew the client certificate of the SSL bundle in {bundle}; {reload}."),
            new Known(
                    "unable to find valid certification path|signature check failed|TrustAnchor",
                    "The application does not trust the certificate of Redis",
                    "Add the CA that has signed it to the SSL bundle in {bundle}; {reload}."),
            new Known(
                    "^CertificateException: No (subject|name)",
                    "The certificate of Redis is for another host",
                    "Correct {host}, or give Redis a certificate that names this host."),
            new Known(
                    "bad_certificate|certificate_required|certificate_unknown|unknown_ca",
                    "Redis refuses the certificate of the application, or has got none",
                    "Give the SSL bundle in {bundle} a client certificate that Redis trusts; {reload}."),
            new Known(
                    "",
                    "Redis and the application do not agree on TLS",
                    "Check that Redis uses TLS at this port, and what the SSL bundle in {bundle} says of certificates,"
                            + " protocols and ciphers."));

    private RedisErrorExplanations() {}

    /**
     * Wraps the failure in an explanation. Returns it unchanged if there is none to add, if it has one already, or if it may be
     * temporary.
     *
     * @param call that failed
     */
    static Throwable explained(Throwable failure, LockCall<?> call, SettingNames names) {
        return failure instanceof TryAgainException ? failure : explained(failure, theKeyOf(call), names);
    }

    /** Explains a failure of something else than a call for a lock, even if it may be temporary. */
    static Throwable explainedEvenIfTemporary(Throwable failure, SettingNames names) {
        return explained(failure, "A key of the lock", names);
    }

    /** The key of the owner, which the others begin with. */
    private static String theKeyOf(LockCall<?> call) {
        return "The Redis key '" + MessageText.of(new String(call.key(), StandardCharsets.UTF_8))
                + "', or one that begins so,";
    }

    private static Throwable explained(Throwable failure, String keys, SettingNames names) {
        for (Throwable cause : Failures.causes(failure).toList()) {
            if (cause instanceof BackendProblemException) {
                return cause;
            }
            if (cause instanceof SSLException) {
                return ofTls(cause, failure, names);
            }
            boolean connecting = String.valueOf(failure.getMessage()).contains("Unable to connect");
            Known known = known(KNOWN, shown(cause) + (connecting ? WHILE_CONNECTING : ""));
            if (known != null) {
                return problem(
                        names.in(known.description().replace(KEY, keys)) + " (" + cause.getMessage() + ").",
                        names.in(known.action()),
                        failure);
            }
        }
        return failure;
    }

    /** The cause beneath says most, such as a date. */
    private static BackendProblemException ofTls(Throwable tls, Throwable failure, SettingNames names) {
        List<String> causes =
                Failures.causes(tls).map(RedisErrorExplanations::shown).toList();
        Known known = TLS.stream()
                .filter(each -> causes.stream().anyMatch(each.sign().asPredicate()))
                .findFirst()
                .orElseThrow();
        return problem(
                known.description() + " (" + causes.get(causes.size() - 1) + ").", names.in(known.action()), failure);
    }

    private static @Nullable Known known(List<Known> candidates, String text) {
        return candidates.stream()
                .filter(known -> known.sign().matcher(text).find())
                .findFirst()
                .orElse(null);
    }

    private static String shown(Throwable cause) {
        return cause.getClass().getSimpleName() + ": " + cause.getMessage();
    }

    /**
     * Explains a failure for want of an answer. Returns any other unchanged.
     *
     * @param diagnosis why no answer could be expected
     */
    static Throwable ofSilence(Throwable failure, ScriptSender.Diagnosis diagnosis) {
        if (!isSilence(failure)) {
            return failure;
        }
        return problem(diagnosis.description(), diagnosis.action(), failure);
    }

    /** Whether a command or a connection had no answer in time, as reported by the JDK or, recognised by class name, by a client. */
    static boolean isSilence(Throwable failure) {
        if (failure instanceof BackendProblemException) {
            return false;
        }
        return Failures.isAny(failure, cause -> cause.getClass().getSimpleName().endsWith("TimeoutException"));
    }

    static BackendProblemException tooOld(String version) {
        return problem(
                "The version of Redis is too old: it is " + version + ", and locks need " + ServerInfo.OLDEST
                        + " or later.",
                "Upgrade Redis, or use another server.",
                null);
    }

    /** Whether Redis refused a command, which before Redis 8 it does not name in a script. */
    static boolean isRefusedCommand(BackendProblemException problem) {
        return REFUSED_COMMAND.matcher(problem.description()).find();
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
        if (list.contains("NOPERM")
                || pattern(PERMISSION_IN_SCRIPT).matcher(list).find()) {
            return problem(LACKS_PERMISSIONS + ": " + list + ".", "Grant them: " + grant(keyPrefix), null);
        }
        return problem(
                "Redis refuses commands that the scripts of the locks need: " + list + ".",
                "Use Redis " + ServerInfo.OLDEST + " or later, or a service that allows these commands in scripts.",
                null);
    }

    private static Pattern pattern(String sign) {
        return Pattern.compile(sign, Pattern.CASE_INSENSITIVE);
    }

    private static String grant(String keyPrefix) {
        return "ACL SETUSER <user> " + RedisAcl.rule(keyPrefix)
                + " (and" + RedisAcl.IN_A_CLUSTER
                + " in a Cluster, the last three from Redis 7 on; +wait if distribution-lock.redis.min-replicas-to-ack is set, +info if"
                + " distribution-lock.quorum.restart-delay is).";
    }

    private static BackendProblemException problem(String description, String action, @Nullable Throwable cause) {
        return new BackendProblemException(description, action, cause, isReply(cause));
    }

    /** Whether the server has answered. What a connection reports says nothing of the command that it carried. */
    static boolean isReply(@Nullable Throwable failure) {
        return Failures.isAny(failure, cause -> reportsReply(cause.getClass()));
    }

    private static boolean reportsReply(@Nullable Class<?> type) {
        return type != null && (REPLIES.contains(type.getSimpleName()) || reportsReply(type.getSuperclass()));
    }
}
