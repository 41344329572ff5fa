package io.distributionlock.benchmarks.server;

import io.distributionlock.benchmarks.workers.Fields;
import io.distributionlock.benchmarks.workers.WorkerLoop;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;

/** The process of a {@link Network}: {@code <port of Redis>}. Tells its own port, and sets delays in nanoseconds. */
public final class NetworkMain {

    static final String PROXY = "proxy";
    static final String PORT = "port";
    static final String DELAY = "delay";

    private NetworkMain() {}

    public static void main(String[] arguments) throws Exception {
        BufferedReader requests = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        try (DelayingProxy proxy = new DelayingProxy(Integer.parseInt(arguments[0]))) {
            new WorkerLoop(requests, System.out, (kind, none) -> (step, fields) -> answer(proxy, step, fields)).run();
        }
        System.exit(0);
    }

    private static Fields answer(DelayingProxy proxy, String step, Fields fields) {
        return switch (step) {
            case PORT -> Fields.none().with(PORT, proxy.port());
            case DELAY -> {
                proxy.delay(fields.number(DELAY));
                yield Fields.none();
            }
            default -> throw new IllegalArgumentException("A network has no step " + step);
        };
    }
}
