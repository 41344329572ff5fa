package io.distributionlock.autoconfigure;

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

/** An application with a web server on a free port, asked over HTTP, on whichever line of Spring Boot. Whoever starts one closes it. */
final class RunningApplication implements AutoCloseable {

    private static final Duration LONG = Duration.ofSeconds(60);
    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    private final ConfigurableApplicationContext context;

    private RunningApplication(ConfigurableApplicationContext context) {
        this.context = context;
    }

    static RunningApplication start(Class<?> configuration, String... properties) {
        return start(List.of(configuration), beans -> {}, properties);
    }

    /** @param beans registers what is no configuration */
    static RunningApplication start(
            List<Class<?>> configurations, Consumer<GenericApplicationContext> beans, String... properties) {
        List<String> all =
                new ArrayList<>(List.of("server.port=0", "server.address=127.0.0.1", "spring.main.banner-mode=off"));
        all.addAll(List.of(properties));
        return new RunningApplication(new SpringApplicationBuilder(configurations.toArray(Class<?>[]::new))
                .initializers(context -> beans.accept((GenericApplicationContext) context))
                .properties(all.toArray(String[]::new))
                .run());
    }

    <T> T getBean(String name, Class<T> type) {
        return context.getBean(name, type);
    }

    <T> T getBean(Class<T> type) {
        return context.getBean(type);
    }

    HttpResponse<String> get(String path) throws IOException, InterruptedException {
        return call("GET", path);
    }

    HttpResponse<String> call(String method, String path) throws IOException, InterruptedException {
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
