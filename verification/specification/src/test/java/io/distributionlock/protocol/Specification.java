package io.distributionlock.protocol;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** The specification: its modules, and the table of its configurations. */
final class Specification {

    private static final String TABLE = "configurations.txt";
    private static final Pattern RULE = Pattern.compile("Rule\\(\"([^\"]+)\"\\)");
    private static final Pattern LEFT_OUT = Pattern.compile("Broken=\\{\"([^\"]+)\"}");

    /** A name, what the configuration shows, and on indented lines what it is. */
    private static final Pattern CONFIGURATION = Pattern.compile("(?m)^([\\w/-]+): .*((?:\\n {4}.*)+)");

    private final Path folder;

    Specification(Path folder) {
        this.folder = folder;
    }

    /** A row of the table is based on the standard before it. */
    List<Configuration> configurations() {
        Configuration none = new Configuration("", Map.of(), Set.of(), "");
        Configuration standard = none;
        List<Configuration> configurations = new ArrayList<>();
        for (MatchResult row : CONFIGURATION.matcher(read(TABLE)).results().toList()) {
            String name = row.group(1);
            if (name.startsWith("standard")) {
                standard = none.with(name, row.group(2));
            } else {
                configurations.add(standard.with(name, row.group(2)));
            }
        }
        return configurations;
    }

    TreeSet<String> rules() {
        TreeSet<String> rules = new TreeSet<>();
        configurations().stream()
                .map(Configuration::module)
                .distinct()
                .forEach(module -> rules.addAll(found(RULE, read(module))));
        return rules;
    }

    /** The rules that some configuration omits. */
    TreeSet<String> rulesLeftOut() {
        return found(LEFT_OUT, read(TABLE));
    }

    private static TreeSet<String> found(Pattern pattern, String text) {
        return new TreeSet<>(
                pattern.matcher(text).results().map(match -> match.group(1)).toList());
    }

    String read(String file) {
        try {
            return Files.readString(folder.resolve(file));
        } catch (IOException e) {
            throw new UncheckedIOException(file + " of the specification cannot be read", e);
        }
    }
}
