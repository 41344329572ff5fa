package io.distributionlock.benchmarks.server;

import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** What {@code INFO} answers. */
record RedisInfo(Map<String, String> values) {

    private static final String COMMAND = "cmdstat_";

    private static final Set<String> OWN =
            Set.of("info", "config", "flushall", "ping", "dbsize", "client", "hello", "slowlog");

    static RedisInfo parse(String text) {
        Map<String, String> values = new TreeMap<>();
        text.lines().forEach(line -> {
            int colon = line.indexOf(':');
            if (colon > 0 && !line.startsWith("#")) {
                values.put(line.substring(0, colon), line.substring(colon + 1).trim());
            }
        });
        return new RedisInfo(values);
    }

    double number(String name) {
        String value = values.get(name);
        if (value == null) {
            throw new IllegalStateException("INFO of this Redis has no " + name);
        }
        return Double.parseDouble(value);
    }

    /** The commands that were run, whether a client has sent them or a script has called them; without the coordinator's own. */
    long commandsRun() {
        return values.entrySet().stream()
                .filter(line -> line.getKey().startsWith(COMMAND))
                .filter(line -> !isOwn(commandOf(line.getKey())))
                .mapToLong(line -> calls(line.getValue()))
                .sum();
    }

    /** Whether the coordinator itself asks for this while it measures. */
    static boolean isOwn(String command) {
        return OWN.contains(command.toLowerCase(Locale.ROOT));
    }

    /** {@code cmdstat_config|resetstat} is a {@code config}. */
    private static String commandOf(String key) {
        String command = key.substring(COMMAND.length());
        int bar = command.indexOf('|');
        return bar < 0 ? command : command.substring(0, bar);
    }

    private static long calls(String statistics) {
        for (String field : statistics.split(",", -1)) {
            if (field.startsWith("calls=")) {
                return Long.parseLong(field.substring("calls=".length()));
            }
        }
        throw new IllegalStateException("No number of calls in '" + statistics + "'");
    }
}
