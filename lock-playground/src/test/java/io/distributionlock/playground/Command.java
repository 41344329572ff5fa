package io.distributionlock.playground;

import java.util.stream.Stream;

/** A command of the page, sent as the page sends it. */
final class Command {

    private Command() {}

    static Answer to(int port, String pathAndQuery, String... headers) {
        String[] all = Stream.concat(Stream.of("X-Playground-Page", "yes"), Stream.of(headers))
                .toArray(String[]::new);
        return Answer.to("POST", port, pathAndQuery, all);
    }
}
