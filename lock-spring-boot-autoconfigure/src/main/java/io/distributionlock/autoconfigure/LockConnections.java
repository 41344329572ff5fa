package io.distributionlock.autoconfigure;

import io.distributionlock.internal.BackendProblemException;
import io.distributionlock.redis.RedisAddress;
import io.distributionlock.redis.SettingNames;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.SslOptions;
import io.lettuce.core.TimeoutOptions;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.Delay;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.data.redis.connection.RedisConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;

/**
 * Connections to servers that are given by URI, separate from those of {@code spring.data.redis}. They connect on first use, and
 * reconnect within about a second of a server's return.
 */
final class LockConnections {

    /** The end of the name of a property that holds a list of servers. */
    private static final String LIST = ".nodes";

    private static final Pattern HOST_AND_PORT = Pattern.compile("(rediss?://)?[\\w.-]+:\\d+");
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(2);
    private static final Duration SOONEST_RECONNECT = Duration.ofMillis(10);
    private static final Duration LATEST_RECONNECT = Duration.ofSeconds(1);

    /** Much longer than a lock waits for a command; only keeps a silent server from filling the memory. */
    private static final Duration COMMAND_TIMEOUT = Duration.ofSeconds(30);

    private final ClientResources resources;
    private final SettingNames names;
    private final @Nullable SslOptions tls;
    private final List<LettuceConnectionFactory> factories = new ArrayList<>();
    private final Map<String, StringRedisTemplate> templates = new LinkedHashMap<>();

    /**
     * @param property where the URIs stand
     * @throws BackendProblemException if a text is not the URI of a single server, or two name the same server; names the property
     *     but never the URI, which may contain a password
     */
    LockConnections(String property, List<String> uris) {
        this(parse(property, uris), SettingNames.ofUris(property, "javax.net.ssl.trustStore, a system property"), null);
    }

    private LockConnections(Map<String, RedisURI> servers, SettingNames names, @Nullable SslOptions tls) {
        this.names = names;
        this.tls = tls;
        this.resources = ClientResources.builder()
                .reconnectDelay(Delay.exponential(SOONEST_RECONNECT, LATEST_RECONNECT, 2, TimeUnit.MILLISECONDS))
                .build();
        servers.forEach((label, uri) -> {
            LettuceConnectionFactory factory = factoryFor(uri);
            factories.add(factory);
            templates.put(label, new StringRedisTemplate(factory));
        });
    }

    /**
     * The connections to the nodes of the quorum.
     *
     * @param bundles where the bundle is looked up that the properties name
     */
    static LockConnections of(LockProperties.Quorum quorum, ObjectProvider<SslBundles> bundles) {
        String property = LockProperties.Quorum.PREFIX + LIST;
        if (quorum.nodes().isEmpty()) {
            throw new BackendProblemException(
                    property + " is empty.",
                    "List the Redis servers of the quorum, better three or five, such as redis://redis-1:6379.",
                    null);
        }
        Map<String, RedisURI> servers = parse(property, quorum.nodes());
        String bundleProperty = LockProperties.Quorum.PREFIX + ".ssl-bundle";
        @Nullable SslOptions tls = null;
        if (quorum.sslBundle() != null) {
            requireTls(servers, property, bundleProperty);
            tls = LockSslBundle.options(bundleProperty, quorum.sslBundle(), bundles);
        }
        return new LockConnections(servers, SettingNames.ofUris(property, bundleProperty), tls);
    }

    private static void requireTls(Map<String, RedisURI> servers, String property, String bundleProperty) {
        servers.forEach((label, uri) -> {
            if (!uri.isSsl()) {
                throw new BackendProblemException(
                        bundleProperty + " is set, and " + label + " in " + property + " would be used without TLS.",
                        "Write rediss:// for every server there, or remove " + bundleProperty + ".",
                        null);
            }
        });
    }

    private static Map<String, RedisURI> parse(String property, List<String> uris) {
        Map<String, RedisURI> servers = new LinkedHashMap<>();
        for (int i = 0; i < uris.size(); i++) {
            String place = property.endsWith(LIST) ? property + "[" + i + "]" : property;
            RedisURI uri = parse(place, uris.get(i));
            String label = uri.getHost().toLowerCase(Locale.ROOT) + ":" + uri.getPort();
            if (servers.put(label, uri) != null) {
                throw new BackendProblemException(
                        place + " repeats the server " + label + ".",
                        "List each server once; otherwise it would have two votes.",
                        null);
            }
        }
        return servers;
    }

    private static RedisURI parse(String place, String text) {
        RedisURI uri;
        try {
            uri = RedisURI.create(text.trim());
        } catch (RuntimeException e) {
            // Neither the text nor the exception, which contains it, is shown: it may contain a password.
            throw new BackendProblemException(
                    place + " is not the URI of a Redis" + shown(text) + ".",
                    "Write it as redis://user:password@host:6379/0, or with rediss:// for TLS; characters such as '@'"
                            + " and '/' in a password are percent-encoded.",
                    null);
        }
        if (uri.getHost() == null || uri.getHost().isBlank() || uri.getPort() == 0) {
            throw new BackendProblemException(
                    place + " does not name a single server" + shown(text) + ".",
                    "Write it as redis://host:6379: Sentinel, Cluster and sockets are not supported here.",
                    null);
        }
        return uri;
    }

    /** The configured text if it is only a host and a port; anything else may contain a password. */
    private static String shown(String text) {
        String written = text.trim();
        if (written.isEmpty()) {
            return ": it is blank";
        }
        return HOST_AND_PORT.matcher(written).matches() ? ": it is '" + written + "'" : "";
    }

    private LettuceConnectionFactory factoryFor(RedisURI uri) {
        LettuceClientConfiguration.LettuceClientConfigurationBuilder client = LettuceClientConfiguration.builder();
        client.apply(uri)
                .clientResources(resources)
                .commandTimeout(COMMAND_TIMEOUT)
                .shutdownTimeout(Duration.ZERO)
                .shutdownQuietPeriod(Duration.ZERO)
                .clientOptions(clientOptions());
        LettuceConnectionFactory factory =
                new NamedSettingsFactory(LettuceConnectionFactory.createRedisConfiguration(uri), client.build(), names);
        factory.afterPropertiesSet();
        factory.start();
        return factory;
    }

    private ClientOptions clientOptions() {
        ClientOptions.Builder options = ClientOptions.builder()
                .timeoutOptions(TimeoutOptions.enabled())
                .socketOptions(SocketOptions.builder()
                        .connectTimeout(CONNECT_TIMEOUT)
                        .keepAlive(true)
                        .build());
        return tls == null ? options.build() : options.sslOptions(tls).build();
    }

    /** A template for each server, by host and port, in the order of the URIs. */
    Map<String, StringRedisTemplate> templates() {
        return templates;
    }

    /** The addresses of the servers, without user and password. */
    String places() {
        return factories.stream().map(RedisAddress::of).collect(Collectors.joining("; "));
    }

    /** The template of the only server. */
    StringRedisTemplate template() {
        return templates.values().iterator().next();
    }

    void start() {
        factories.forEach(LettuceConnectionFactory::start);
    }

    void stop() {
        factories.forEach(LettuceConnectionFactory::stop);
    }

    boolean isRunning() {
        return factories.stream().anyMatch(LettuceConnectionFactory::isRunning);
    }

    void destroy() {
        factories.forEach(LettuceConnectionFactory::destroy);
        resources.shutdown(0, CONNECT_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
    }

    private static final class NamedSettingsFactory extends LettuceConnectionFactory implements SettingNames.Owner {

        private final SettingNames names;

        NamedSettingsFactory(RedisConfiguration server, LettuceClientConfiguration client, SettingNames names) {
            super(server, client);
            this.names = names;
        }

        @Override
        public SettingNames settingNames() {
            return names;
        }
    }
}
