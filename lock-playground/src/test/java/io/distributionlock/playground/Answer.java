package io.distributionlock.playground;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

/** An answer of the playground over HTTP, and how long it took. */
public record Answer(int status, String body, Duration took) {

    private static final HttpClient CLIENT =
            HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(10)).build();
    private static final ObjectMapper JSON = new ObjectMapper();

    public static Answer toUpdate(int port, String orderCode, int userId, int status) {
        String query = "orderCode=" + URLEncoder.encode(orderCode, StandardCharsets.UTF_8) + "&userId=" + userId
                + "&status=" + status;
        return to("PUT", port, Endpoints.UPDATE + "?" + query);
    }

    public static Answer toOrders(int port) {
        return to("GET", port, Endpoints.ORDERS);
    }

    /**
     * Changes an order and tells whether that is done. The first change of a process loads classes and connects to Redis,
     * which on a busy machine may take longer than the wait for a lock; so it is repeated. A wrong request would never be
     * done, so it fails at once.
     */
    public static boolean isFirstChangeDone(int port) {
        Answer answer = toUpdate(port, "A1004", 1, 3);
        if (answer.status() < 500 && !answer.isDone() && !answer.isBusy()) {
            throw new AssertionError("The first change is answered " + answer.status() + " " + answer.body()
                    + ". Are the paths in Endpoints those of the application?");
        }
        return answer.isDone();
    }

    public static Answer to(String method, int port, String pathAndQuery, String... headers) {
        HttpRequest.Builder request = HttpRequest.newBuilder(
                        URI.create("http://localhost:" + port + Endpoints.ROOT + pathAndQuery))
                .timeout(Duration.ofSeconds(60))
                .method(method, BodyPublishers.noBody());
        if (headers.length > 0) {
            request.headers(headers);
        }
        long begin = System.nanoTime();
        try {
            HttpResponse<String> response = CLIENT.send(request.build(), BodyHandlers.ofString(StandardCharsets.UTF_8));
            return new Answer(response.statusCode(), response.body(), Duration.ofNanos(System.nanoTime() - begin));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /**
     * Repeats the request, at most twice, if the answer is that Redis cannot be reached and nothing was done. For tests
     * that need an answer even if Redis pauses for a moment.
     */
    public static Answer ofReachableRedis(Supplier<Answer> request) {
        return allOfReachableRedis(() -> List.of(request.get())).get(0);
    }

    /** The same for requests that belong together: all are repeated if one of them gets that answer. */
    public static List<Answer> allOfReachableRedis(Supplier<List<Answer>> requests) {
        List<Answer> answers = requests.get();
        for (int again = 0; again < 2 && answers.stream().anyMatch(Answer::isUnavailable); again++) {
            answers = requests.get();
        }
        return answers;
    }

    public JsonNode json() {
        try {
            return JSON.readTree(body);
        } catch (JacksonException e) {
            throw new AssertionError("Not JSON: " + body, e);
        }
    }

    public int code() {
        return json().path("code").asInt(-1);
    }

    public String message() {
        return json().path("message").asText();
    }

    public boolean isDone() {
        return status == 200 && code() == 0;
    }

    public boolean isBusy() {
        return status == 200 && code() == 1;
    }

    public boolean isUnavailable() {
        return status == 503 && code() == 3;
    }

    /** The status of an order in an answer {@linkplain #toOrders that lists them}. */
    public int statusOf(String orderCode) {
        for (JsonNode order : json().path("data")) {
            if (order.path("orderCode").asText().equals(orderCode)) {
                return order.path("status").asInt();
            }
        }
        throw new AssertionError("No order " + orderCode + " in " + body);
    }
}
