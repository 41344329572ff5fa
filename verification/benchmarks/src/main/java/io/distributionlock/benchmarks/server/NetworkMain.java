package io.distributionlock.benchmarks.server;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;

/** The process of a {@link Network}: {@code <port of Redis>}. Prints its own port, then reads delays in nanoseconds and confirms each. */
public final class NetworkMain {

    private NetworkMain() {}

    public static void main(String[] arguments) throws Exception {
        BufferedReader delays = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
        try (DelayingProxy proxy = new DelayingProxy(Integer.parseInt(arguments[0]))) {
            System.out.println(proxy.port());
            // It ends with the coordinator, which closes its input.
            for (String line = delays.readLine(); line != null; line = delays.readLine()) {
                proxy.delay(Long.parseLong(line));
                System.out.println(line);
            }
        }
        System.exit(0);
    }
}
