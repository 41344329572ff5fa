package io.distributionlock.playground.instances;

import io.distributionlock.playground.web.BusinessException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Component;

/**
 * Sends requests to the other instances. The page talks to one instance only, which asks the others, so one forwarded
 * port is enough and no cross-origin request is needed.
 */
@Component
public class Peers {

    private static final Duration TIMEOUT = Duration.ofSeconds(5);
    private static final long LOOK_AGAIN_MILLIS = 100;

    private final Instances instances;
    private final ThisInstance self;
    private final SecondInstance second;
    private final HttpClient client = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(TIMEOUT)
            .build();

    Peers(Instances instances, ThisInstance self, SecondInstance second) {
        this.instances = instances;
        this.self = self;
        this.second = second;
    }

    /** The running instances, including this one, by address. */
    public List<Instance> running() {
        return instances.running();
    }

    /** Whether this is the name of this instance. */
    public boolean isSelf(String name) {
        return self.name().equals(name);
    }

    /** Whether this is the name of the instance that this one has started. */
    public boolean isSecond(String name) {
        return second.state().name().equals(name);
    }

    /**
     * Returns another instance's answer; empty if it does not answer, for example because it was killed or is frozen.
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
            return answer(name, client.sendAsync(request, BodyHandlers.ofString(StandardCharsets.UTF_8)));
        } catch (ExecutionException silent) {
            return Optional.empty();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while asking " + name, interrupted);
        }
    }

    /** A frozen instance is not waited for, although it would answer when it goes on. */
    private Optional<String> answer(String name, CompletableFuture<HttpResponse<String>> coming)
            throws ExecutionException, InterruptedException {
        while (!second.isFrozen(name)) {
            try {
                HttpResponse<String> response = coming.get(LOOK_AGAIN_MILLIS, TimeUnit.MILLISECONDS);
                return response.statusCode() == HttpStatus.OK.value() ? Optional.of(response.body()) : Optional.empty();
            } catch (TimeoutException notYet) {
                // Perhaps it is frozen by now.
            }
        }
        coming.cancel(true);
        return Optional.empty();
    }
}
