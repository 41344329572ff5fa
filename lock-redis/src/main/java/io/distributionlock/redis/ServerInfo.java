package io.distributionlock.redis;

import io.distributionlock.internal.BackendProblemException;
import java.lang.module.ModuleDescriptor.Version;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * What INFO shows of a server. In a Cluster there is one of each field per node, under a name that starts with its address. Services
 * may leave fields out, or put in what is not Redis's.
 */
final class ServerInfo {

    private static final Log log = LogFactory.getLog(ServerInfo.class);

    /** The oldest supported version, which the tests run on. Valkey reports the one that it is compatible with. */
    static final Version OLDEST = Version.parse("6.2");

    private static final Pattern FIRST_NUMBERS = Pattern.compile("\\d{1,6}\\.\\d{1,6}");

    /**
     * By line, the first release without the vulnerabilities by which a user that may run scripts can run code as another user or on the
     * server (CVE-2025-46818, CVE-2025-49844).
     */
    private static final Map<String, Integer> MENDED_REDIS = Map.of("6.2", 20, "7.2", 11, "7.4", 6, "8.0", 4, "8.2", 2);

    private static final Map<String, Integer> MENDED_VALKEY = Map.of("7.2", 11, "8.0", 6, "8.1", 4);

    private static final Pattern THREE_NUMBERS = Pattern.compile("(\\d{1,6}\\.\\d{1,6})\\.(\\d{1,6})");

    private static final String REDIS_VERSION = "redis_version";
    private static final String VALKEY_VERSION = "valkey_version";

    private static final String POLICY = "maxmemory_policy";
    private static final String NO_EVICTION = "noeviction";

    private ServerInfo() {}

    /**
     * Warns of a server that evicts locks, and says what is not shown.
     *
     * @param prefix what each line of the log starts with
     * @throws BackendProblemException if the server is too old
     */
    static void check(Properties info, String prefix) {
        boolean versionSeen = checkVersions(info);
        reportHoles(info, prefix);
        boolean policySeen = checkEviction(info, prefix);
        if (!versionSeen || !policySeen) {
            String unseen = versionSeen
                    ? "its maxmemory-policy"
                    : policySeen ? "its version" : "its version and its maxmemory-policy";
            log.info(prefix + "Redis does not report " + unseen + " (INFO). Check by hand: locks need Redis " + OLDEST
                    + " or later, and maxmemory-policy " + NO_EVICTION + ".");
        }
    }

    private static boolean checkVersions(Properties info) {
        boolean seen = false;
        for (String field : fields(info, REDIS_VERSION)) {
            String version = info.getProperty(field);
            Optional<Version> known = versionOf(version);
            if (known.isPresent() && known.get().compareTo(OLDEST) < 0) {
                throw RedisErrorExplanations.tooOld(version);
            }
            seen |= known.isPresent();
        }
        return seen;
    }

    /** Warns once, whatever the number of nodes. */
    private static void reportHoles(Properties info, String prefix) {
        fields(info, REDIS_VERSION).stream()
                .map(field -> holesOf(info, field))
                .flatMap(Optional::stream)
                .sorted()
                .findFirst()
                .ifPresent(
                        server -> log.warn(
                                prefix + server
                                        + " A user that may run scripts, as the user of the locks may, can run code as another user, or take over the server"
                                        + " (CVE-2025-46818, CVE-2025-49844). Upgrade, unless its supplier has added the corrections to this version."));
    }

    /** Empty for services and servers with versions of their own, and for lines of which nothing is known. */
    private static Optional<String> holesOf(Properties info, String redisField) {
        String node = redisField.substring(0, redisField.length() - REDIS_VERSION.length());
        String valkey = info.getProperty(node + VALKEY_VERSION);
        boolean another = info.stringPropertyNames().stream()
                .filter(field -> field.startsWith(node) && field.endsWith("_version"))
                .map(field -> field.substring(node.length()))
                .anyMatch(field ->
                        !List.of(REDIS_VERSION, VALKEY_VERSION, "gcc_version").contains(field));
        if (another) {
            return Optional.empty();
        }
        String version = valkey == null ? info.getProperty(redisField) : valkey;
        Matcher numbers = THREE_NUMBERS.matcher(version);
        if (!numbers.lookingAt()) {
            return Optional.empty();
        }
        Integer mended = (valkey == null ? MENDED_REDIS : MENDED_VALKEY).get(numbers.group(1));
        return mended == null || Integer.parseInt(numbers.group(2)) >= mended
                ? Optional.empty()
                : Optional.of((valkey == null ? "Redis " : "Valkey ") + numbers.group() + " is older than "
                        + numbers.group(1) + "." + mended + ".");
    }

    /** Only warns: locks work until the memory is full, and some services allow no other policy. */
    private static boolean checkEviction(Properties info, String prefix) {
        List<String> policies = fields(info, POLICY);
        policies.stream()
                .filter(field -> !info.getProperty(field).equals(NO_EVICTION))
                .min(Comparator.comparing(field -> isUnlimited(info, field)))
                .ifPresent(field -> reportEviction(prefix, info.getProperty(field), isUnlimited(info, field)));
        return !policies.isEmpty();
    }

    private static boolean isUnlimited(Properties info, String policyField) {
        return "0".equals(info.getProperty(policyField.replace(POLICY, "maxmemory")));
    }

    private static void reportEviction(String prefix, String policy, boolean unlimited) {
        if (unlimited) {
            log.info(prefix + "The maxmemory-policy of Redis is '" + policy
                    + "'. Nothing is evicted at present, because no maxmemory is set. If you set one, set the policy to "
                    + NO_EVICTION + " too, or held locks may be evicted.");
            return;
        }
        log.warn(prefix + "Redis may evict held locks when its memory is full, because its maxmemory-policy is '"
                + policy + "'"
                + (policy.startsWith("volatile-") ? " and all keys of locks have a TTL" : "")
                + ". An evicted lock is free for others while its holder works. Set maxmemory-policy to " + NO_EVICTION
                + ", or give the locks a separate Redis that never fills up.");
    }

    private static List<String> fields(Properties info, String name) {
        return info.stringPropertyNames().stream()
                .filter(field -> field.endsWith(name))
                .toList();
    }

    /** The first two numbers; empty if the text does not start with any: not every service reports a version of Redis. */
    static Optional<Version> versionOf(String text) {
        Matcher numbers = FIRST_NUMBERS.matcher(text);
        return numbers.lookingAt() ? Optional.of(Version.parse(numbers.group())) : Optional.empty();
    }
}
