package io.distributionlock.playground.instances;

import io.distributionlock.playground.web.BusinessException;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Component;

/**
 * Sends requests to the other instances. The page talks to one instance only, which asks the others, so one forwarded
 * port is enough and no cross-origin request is needed.
 */
@Component
public class Peers {

    private static final Duration TIMEOUT = Duration.ofSeconds(5);

    private final Instances instances;
    private final ThisInstance self;
    private final HttpClient client = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(TIMEOUT)
            .build();

    Peers(Instances instances, ThisInstance self) {
        this.instances = instances;
        this.self = self;
    }

    /** The running instances, including this one, by address. */
    public List<Instance> running() {
        return instances.running();
    }

    /** Whether this is the name of this instance. */
    public boolean isSelf(String name) {
        return self.name().equals(name);
    }

    /**
     * Returns another instance's answer; empty if it does not answer, for example because it was killed.
     *
     * @param pathAndQuery the path and query after its address, encoded
     * @throws BusinessException if there has never been such an instance, or if it has left
     */
    public Optional<String> ask(String name, String pathAndQuery) {
        Instance peer = instances
                .find(name)
                .orElseThrow(() -> new BusinessException(HttpStatus.NOT_FOUND, "instance.unknown", name));
        HttpRequest request = HttpRequest.newBuilder(URI.create(peer.url() + pathAndQuery))
                .timeout(TIMEOUT)
                .build();
        try {
            HttpResponse<String> response = client.send(request, BodyHandlers.ofString(StandardCharsets.UTF_8));
            return response.statusCode() == HttpStatus.OK.value() ? Optional.of(response.body()) : Optional.empty();
        } catch (IOException silent) {
            return Optional.empty();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while asking " + name, interrupted);
        }
    }
}
