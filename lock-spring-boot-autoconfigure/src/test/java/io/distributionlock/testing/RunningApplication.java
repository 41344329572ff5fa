package io.distributionlock.testing;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.support.GenericApplicationContext;

/** An application with a web server on a free port, called over HTTP, on any line of Spring Boot. Close what you start. */
public final class RunningApplication implements AutoCloseable {

    private static final Duration LONG = Duration.ofSeconds(60);
    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    private final ConfigurableApplicationContext context;

    private RunningApplication(ConfigurableApplicationContext context) {
        this.context = context;
    }

    public static RunningApplication start(Class<?> configuration, String... properties) {
        return start(List.of(configuration), beans -> {}, properties);
    }

    /** @param beans registers beans that are not configurations */
    public static RunningApplication start(
            List<Class<?>> configurations, Consumer<GenericApplicationContext> beans, String... properties) {
        List<String> all =
                new ArrayList<>(List.of("server.port=0", "server.address=127.0.0.1", "spring.main.banner-mode=off"));
        all.addAll(List.of(properties));
        return new RunningApplication(new SpringApplicationBuilder(configurations.toArray(Class<?>[]::new))
                .initializers(context -> beans.accept((GenericApplicationContext) context))
                .properties(all.toArray(String[]::new))
                .run());
    }

    public <T> T getBean(String name, Class<T> type) {
        return context.getBean(name, type);
    }

    public <T> T getBean(Class<T> type) {
        return context.getBean(type);
    }

    public HttpResponse<String> get(String path) throws IOException, InterruptedException {
        return call("GET", path);
    }

    public HttpResponse<String> call(String method, String path) throws IOException, InterruptedException {
        String port = context.getEnvironment().getRequiredProperty("local.server.port");
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .method(method, HttpRequest.BodyPublishers.noBody())
                .timeout(LONG)
                .build();
        return CLIENT.send(request, HttpResponse.BodyHandlers.ofString(StandardCharsets.UTF_8));
    }

    @Override
    public void close() {
        context.close();
    }
}
