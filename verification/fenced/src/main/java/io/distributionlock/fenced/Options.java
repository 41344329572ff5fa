package io.distributionlock.fenced;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;

/**
 * What the command line asks for.
 *
 * @param episodes how many over all databases
 * @param longest for each database
 * @param round how long the same counters are used
 * @param sentinels whether a replicated Redis takes part
 */
record Options(
        List<Database.Kind> databases,
        int episodes,
        Duration longest,
        Duration round,
        boolean sentinels,
        long seed,
        Path folder) {

    private static final String USAGE =
            "Options: --databases postgresql,mariadb,h2 --episodes 10000 --minutes 20 --round 15 --sentinels true --seed 1 --out target/fenced";

    static Options parse(String... words) {
        Options options = new Options(
                List.of(Database.Kind.values()),
                10_000,
                Duration.ofMinutes(20),
                Duration.ofSeconds(15),
                true,
                new Random().nextInt(1_000_000),
                Path.of("target", "fenced"));
        if (words.length % 2 != 0) {
            throw new IllegalArgumentException(USAGE);
        }
        for (int i = 0; i < words.length; i += 2) {
            options = options.with(words[i], words[i + 1]);
        }
        return options;
    }

    private Options with(String name, String value) {
        return switch (name) {
            case "--databases" -> new Options(kinds(value), episodes, longest, round, sentinels, seed, folder);
            case "--episodes" -> new Options(databases, number(value), longest, round, sentinels, seed, folder);
            case "--minutes" ->
                new Options(databases, episodes, Duration.ofMinutes(number(value)), round, sentinels, seed, folder);
            case "--round" ->
                new Options(databases, episodes, longest, Duration.ofSeconds(number(value)), sentinels, seed, folder);
            case "--sentinels" ->
                new Options(databases, episodes, longest, round, Boolean.parseBoolean(value), seed, folder);
            case "--seed" -> new Options(databases, episodes, longest, round, sentinels, Long.parseLong(value), folder);
            case "--out" -> new Options(databases, episodes, longest, round, sentinels, seed, Path.of(value));
            default -> throw new IllegalArgumentException("Unknown: " + name + ". " + USAGE);
        };
    }

    private static List<Database.Kind> kinds(String value) {
        return Arrays.stream(value.split(","))
                .map(database -> Database.Kind.valueOf(database.toUpperCase(Locale.ROOT)))
                .toList();
    }

    private static int number(String value) {
        return Integer.parseInt(value);
    }
}
