package io.distributionlock.protocol;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** The specification: its module, its configurations, and the page that states their results. */
final class SpecificationText {

    private static final Pattern RULE = Pattern.compile("Rule\\(\"([^\"]+)\"\\)");
    private static final Pattern LEFT_OUT = Pattern.compile("Broken = \\{\"([^\"]+)\"}");

    /** {@code | `quick.cfg` | … | 49,382 |} or {@code | `broken/tombstones.cfg` | … | NoOrphan |} */
    private static final Pattern ROW = Pattern.compile("(?m)^\\| `([\\w/-]+\\.cfg)` \\|.*\\| ([\\w,]+) \\|$");

    private final Path folder;

    SpecificationText(Path folder) {
        this.folder = folder;
    }

    /** The page's result for each configuration: the number of states, or the violated property. */
    Map<String, String> stated() {
        Map<String, String> stated = new TreeMap<>();
        ROW.matcher(read("specification.md")).results().forEach(row -> stated.put(row.group(1), row.group(2)));
        return stated;
    }

    /** The configurations in the folder. */
    TreeSet<String> configurations() {
        try (var files = Files.walk(folder)) {
            TreeSet<String> found = new TreeSet<>();
            files.map(file -> folder.relativize(file).toString().replace('\\', '/'))
                    .filter(file -> file.endsWith(".cfg"))
                    .forEach(found::add);
            return found;
        } catch (IOException e) {
            throw new UncheckedIOException("The configurations of the specification cannot be listed", e);
        }
    }

    TreeSet<String> rules() {
        return new TreeSet<>(RULE.matcher(read("LockProtocol.tla"))
                .results()
                .map(rule -> rule.group(1))
                .toList());
    }

    /** The rules that some configuration omits. */
    TreeSet<String> rulesLeftOut() {
        return new TreeSet<>(configurations().stream()
                .flatMap(configuration -> LEFT_OUT.matcher(read(configuration)).results())
                .map((MatchResult rule) -> rule.group(1))
                .toList());
    }

    private String read(String file) {
        try {
            return Files.readString(folder.resolve(file));
        } catch (IOException e) {
            throw new UncheckedIOException(file + " of the specification cannot be read", e);
        }
    }
}
