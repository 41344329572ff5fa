package io.distributionlock.benchmarks.server;

import java.util.List;

/** What {@code SLOWLOG GET} answers: for each command its number, when it ran, how many microseconds it took, and more. */
final class SlowLog {

    private static final int MICROS = 2;
    private static final int ARGUMENTS = 3;

    private SlowLog() {}

    /** Of the commands that are not the coordinator's own; 0 if there is none. */
    static long longestMicros(List<Object> entries) {
        return entries.stream()
                .map(entry -> (List<?>) entry)
                .filter(entry -> !isOwn((List<?>) entry.get(ARGUMENTS)))
                .mapToLong(entry -> ((Number) entry.get(MICROS)).longValue())
                .max()
                .orElse(0);
    }

    private static boolean isOwn(List<?> command) {
        return RedisInfo.isOwn(String.valueOf(command.get(0)));
    }
}
