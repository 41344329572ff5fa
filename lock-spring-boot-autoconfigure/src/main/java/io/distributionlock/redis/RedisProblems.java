package io.distributionlock.redis;

import io.distributionlock.BackendProblemException;
import io.distributionlock.engine.TryAgainException;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.util.Locale;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * Explains failures of Redis clients whose own words do not say what to do. Goes by what the server answers, which is the same for
 * every client.
 */
final class RedisProblems {

    private static final int DEEPEST_CAUSE = 20;

    private RedisProblems() {}

    /**
     * The failure with an explanation around it, or the failure itself if it speaks for itself, is explained already, or is one
     * that may pass.
     */
    static Throwable explained(Throwable failure) {
        return failure instanceof TryAgainException ? failure : explainedThoughItMayPass(failure);
    }

    /** The failure with an explanation around it, or the failure itself if it speaks for itself or is explained already. */
    static Throwable explainedThoughItMayPass(Throwable failure) {
        Throwable cause = failure;
        for (int depth = 0; cause != null && depth < DEEPEST_CAUSE; depth++) {
            if (cause instanceof BackendProblemException) {
                return cause;
            }
            BackendProblemException problem = explanation(cause, failure);
            if (problem != null) {
                return problem;
            }
            cause = cause.getCause();
        }
        return failure;
    }

    private static @Nullable BackendProblemException explanation(Throwable cause, Throwable failure) {
        String said = cause.getMessage() == null ? "" : cause.getMessage();
        String text = said.toLowerCase(Locale.ROOT);
        // What scripts are refused, Redis before 7 says in its own words.
        if (says(text, "noperm") || text.contains("-noperm") || text.contains("the user executing the script can't")) {
            return problem(
                    "The user that the application is at Redis may not do what locks need (" + said + ").",
                    "Give it the rights, with your key prefix: ACL SETUSER <user> "
                            + RedisRights.rule(RedisPortSettings.DEFAULT_KEY_PREFIX)
                            + " (and +wait if distribution-lock.redis.min-replicas-to-ack is set, +info if"
                            + " distribution-lock.quorum.restart-delay is).",
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
                    "Redis asks for a password, and the application gives none (" + said + ").",
                    "Set spring.data.redis.password, and spring.data.redis.username unless it is the default user's.",
                    failure);
        }
        if (text.contains("called without any password configured")) {
            return problem(
                    "The application gives a password, and Redis has none for the default user (" + said + ").",
                    "Take spring.data.redis.password out, or set spring.data.redis.username as well.",
                    failure);
        }
        // Lettuce closes a connection that is refused, and may tell of its end before it tells of the refusal.
        if (text.contains("connection closed prematurely")) {
            return problem(
                    "The connection to Redis was closed while it was being made (" + said + ").",
                    "Correct spring.data.redis.username and spring.data.redis.password if Redis refuses them."
                            + " Otherwise see that both sides or neither speak TLS, and that Redis has connections left"
                            + " (maxclients).",
                    failure);
        }
        if (cause instanceof UnknownHostException) {
            return problem(
                    "The name of the host of Redis is not known here (" + said + ").",
                    "Correct spring.data.redis.host or spring.data.redis.url, or see that the name can be resolved; it is looked up"
                            + " again each time.",
                    failure);
        }
        if (text.contains("db index is out of range")) {
            return problem(
                    "Redis has no database of that number (" + said + ").",
                    "Correct spring.data.redis.database: there are 16, from 0, unless Redis is configured otherwise, and in a"
                            + " Cluster only 0.",
                    failure);
        }
        if (text.contains("max number of clients")) {
            return problem(
                    "Redis takes no more connections (" + said + ").",
                    "Raise maxclients of Redis, or find who leaves connections open (CLIENT LIST).",
                    failure);
        }
        if (text.contains("waiting for idle object") || text.contains("pool exhausted")) {
            return problem(
                    "The connection pool of the application has no connection left for the locks (" + said + ").",
                    "Raise spring.data.redis.jedis.pool.max-active: the locks use up to nine connections, one of them to"
                            + " be told of released locks.",
                    failure);
        }
        if (cause instanceof SocketException && text.contains("reset") && isAboutConnecting(failure)) {
            return problem(
                    "Redis, or something on the way to it, ended the connection while it was being made (" + said
                            + ").",
                    "See that both sides or neither speak TLS: spring.data.redis.ssl.enabled=true if Redis wants it.",
                    failure);
        }
        if (text.contains("write commands not allowed after non deterministic commands")) {
            return tooOld("one before 5.0", failure);
        }
        if (text.contains("unknown command") && (text.contains("eval") || text.contains("script"))) {
            return problem(
                    "The server that spring.data.redis.* names runs no scripts (" + said + ").",
                    "Name a Redis " + RedisVersion.OLDEST + " or later itself: neither a Sentinel (those belong in"
                            + " spring.data.redis.sentinel.*) nor a proxy that hides commands.",
                    failure);
        }
        if (says(text, "moved ") || says(text, "clusterdown") || says(text, "crossslot")) {
            return problem(
                    "The application talks to a node of a Redis Cluster as to a single server, or the Cluster is not"
                            + " complete ("
                            + said + ").",
                    "Set spring.data.redis.cluster.nodes instead of spring.data.redis.host, and see that all slots are"
                            + " served (CLUSTER INFO).",
                    failure);
        }
        if (says(text, "readonly") || text.contains("-readonly")) {
            return problem(
                    "The application talks to a replica, which cannot take locks (" + said + ").",
                    "Let spring.data.redis.* name the master, the Sentinels or the Cluster.",
                    failure);
        }
        if (says(text, "wrongtype")) {
            return problem(
                    "A key of the lock holds something that the locks have not written (" + said + ").",
                    "Delete that key, or keep others out of the keys of the locks"
                            + " (distribution-lock.redis.key-prefix).",
                    failure);
        }
        if (says(text, "oom ") || text.contains("-oom ")) {
            return problem(
                    "Redis has no memory left for a lock (" + said + ").",
                    "Raise maxmemory, or free some; keep maxmemory-policy at noeviction.",
                    failure);
        }
        return explanationOfTls(cause, said, failure);
    }

    private static @Nullable BackendProblemException explanationOfTls(Throwable cause, String said, Throwable failure) {
        if (cause instanceof SSLException) {
            return problem(
                    "Redis and the application do not agree on TLS (" + said + ").",
                    "See that Redis speaks TLS at this port, that the SSL bundle which spring.data.redis.ssl.bundle names"
                            + " trusts the certificate of Redis, that this names the host in spring.data.redis.host, and"
                            + " that the bundle has a certificate of its own if Redis asks for one.",
                    failure);
        }
        return null;
    }

    /** @param obstacle a sentence */
    static BackendProblemException notConnected(String obstacle, Throwable silence) {
        return problem(
                obstacle,
                "If it stays so, see that Redis is up and can be reached from here, and that both sides or neither speak TLS"
                        + " (spring.data.redis.ssl.*). While an application starts, a machine that is short of CPU may need"
                        + " longer than distribution-lock.redis.command-timeout.",
                silence);
    }

    static BackendProblemException tooOld(String version, @Nullable Throwable failure) {
        return problem(
                "The version of Redis is too old: it is " + version + ", and locks need " + RedisVersion.OLDEST
                        + " or later.",
                "Upgrade Redis, or let spring.data.redis.* name another server.",
                failure);
    }

    private static boolean isAboutConnecting(Throwable failure) {
        String said = failure.getMessage();
        return said != null && said.toLowerCase(Locale.ROOT).contains("unable to connect");
    }

    private static boolean says(String text, String start) {
        return text.startsWith(start) || text.contains(": " + start) || text.contains("; " + start);
    }

    private static BackendProblemException problem(String description, String cure, @Nullable Throwable cause) {
        return new BackendProblemException(description, cure, cause);
    }
}
