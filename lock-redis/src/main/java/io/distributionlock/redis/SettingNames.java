package io.distributionlock.redis;

import io.distributionlock.internal.Internal;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Pattern;
import org.springframework.data.redis.connection.RedisConnectionFactory;

/**
 * What the settings of a connection are called, so that advice names properties that have an effect on it.
 *
 * @hidden
 */
@Internal
public final class SettingNames {

    /** A connection factory whose settings are not in {@code spring.data.redis}. */
    public interface Owner {

        SettingNames settingNames();
    }

    private static final String UP_TO_NINE =
            ": locks use up to nine connections, one of them for messages about releases";

    private static final Pattern PLACE = Pattern.compile("\\{(\\w+)}");

    /** Of a connection that Spring Boot has made. */
    static final SettingNames OF_SPRING = new SettingNames(Map.ofEntries(
            Map.entry("servers", "spring.data.redis.*"),
            Map.entry("host", "spring.data.redis.host or spring.data.redis.url"),
            Map.entry(
                    "credentials",
                    "spring.data.redis.username and spring.data.redis.password, or the credentials in"
                            + " spring.data.redis.url"),
            Map.entry("user", "spring.data.redis.username"),
            Map.entry("password", "spring.data.redis.password"),
            Map.entry("database", "spring.data.redis.database"),
            Map.entry("tls", "spring.data.redis.ssl.enabled=true"),
            Map.entry("bundle", "spring.data.redis.ssl.bundle"),
            // Spring Boot reads the bundle once, even with reload-on-update.
            Map.entry("reload", "restart the application afterwards"),
            Map.entry("pool", "spring.data.redis.jedis.pool.max-active" + UP_TO_NINE),
            Map.entry("sentinels", " (those belong in spring.data.redis.sentinel.*)"),
            Map.entry("cluster", "Set spring.data.redis.cluster.nodes instead of spring.data.redis.host"),
            Map.entry(
                    "master",
                    "Set spring.data.redis.* to the master, the Sentinels or the Cluster, and check that those know which"
                            + " server is the master")));

    private final Map<String, String> names;

    private SettingNames(Map<String, String> names) {
        this.names = names;
    }

    /**
     * Of connections that are configured by URIs.
     *
     * @param uris the property that holds these
     * @param bundle what decides whom TLS trusts
     */
    public static SettingNames ofUris(String uris, String bundle) {
        return new SettingNames(Map.ofEntries(
                Map.entry("servers", uris),
                Map.entry("host", "the host in " + uris),
                Map.entry("credentials", "the user and the password in " + uris),
                Map.entry("user", "the user in " + uris),
                Map.entry("password", "the password in " + uris),
                Map.entry("database", "the database in " + uris),
                Map.entry("tls", "rediss:// in " + uris),
                Map.entry("bundle", bundle),
                Map.entry("reload", "restart the application afterwards, unless the bundle has reload-on-update"),
                Map.entry("sentinels", ""),
                Map.entry("cluster", "Name a server in " + uris + " that is not part of a Cluster"),
                Map.entry("master", "Name the master in " + uris)));
    }

    static SettingNames of(RedisConnectionFactory factory) {
        if (factory instanceof Owner owner) {
            return owner.settingNames();
        }
        if (RedisAddress.isOfLettuce(factory)) {
            return OF_SPRING.with("pool", "spring.data.redis.lettuce.pool.max-active: locks use one connection");
        }
        return RedisAddress.isOfJedis(factory)
                ? OF_SPRING
                : OF_SPRING.with(
                        "pool", "the connections of the " + factory.getClass().getSimpleName() + UP_TO_NINE);
    }

    private SettingNames with(String setting, String name) {
        Map<String, String> changed = new HashMap<>(names);
        changed.put(setting, name);
        return new SettingNames(changed);
    }

    /** Replaces each {@code {setting}} by its name. */
    String in(String advice) {
        return PLACE.matcher(advice).replaceAll(place -> names.getOrDefault(place.group(1), place.group()));
    }
}
