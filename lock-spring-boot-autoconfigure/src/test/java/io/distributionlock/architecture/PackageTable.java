package io.distributionlock.architecture;

import static java.util.Map.entry;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** What the architecture page says in its tables of modules and packages and in the steps of a call. */
final class PackageTable {

    private static final Path PAGE = Path.of("../docs/architecture.md");

    /** The libraries that the column "uses" may name, and their packages. */
    private static final Map<String, List<String>> LIBRARIES = Map.ofEntries(
            entry("all", List.of("..")),
            entry(
                    "Spring",
                    List.of(
                            "org.springframework.aop..",
                            "org.springframework.aot..",
                            "org.springframework.asm..",
                            "org.springframework.beans..",
                            "org.springframework.cglib..",
                            "org.springframework.context..",
                            "org.springframework.core..",
                            "org.springframework.expression..",
                            "org.springframework.format..",
                            "org.springframework.lang..",
                            "org.springframework.scheduling..",
                            "org.springframework.util..",
                            "org.aopalliance..")),
            entry("Spring Transactions", List.of("org.springframework.transaction..", "org.springframework.dao..")),
            entry(
                    "Spring JDBC",
                    List.of(
                            "javax.sql..",
                            "java.sql..",
                            "org.springframework.jdbc..",
                            "org.springframework.orm..",
                            "org.springframework.dao..")),
            entry("Spring Web", List.of("org.springframework.http..", "org.springframework.web..")),
            entry("Spring Data", List.of("org.springframework.data..", "org.springframework.dao..")),
            entry("Spring Integration", List.of("org.springframework.integration..")),
            entry("Spring Boot", List.of("org.springframework.boot..")),
            entry("Micrometer", List.of("io.micrometer..")),
            entry("Reactor", List.of("reactor..", "org.reactivestreams..")),
            entry("Kotlin", List.of("kotlin..", "kotlinx..")),
            entry("Lettuce", List.of("io.lettuce..", "io.netty..", "javax.net.ssl..")));

    private static final Pattern IN_BACKTICKS = Pattern.compile("`([^`]+)`");

    /**
     * @param module the folder that the package is in
     * @param classes those that the row names
     * @param uses the packages that this one may use, in ArchUnit's form
     */
    record Row(String packageName, String module, List<String> classes, List<String> uses) {

        @Override
        public String toString() {
            return packageName;
        }
    }

    private PackageTable() {}

    static List<Row> rows() {
        List<Row> rows = new ArrayList<>();
        for (String line : section("Packages")) {
            if (line.startsWith("| `") || line.startsWith("| (root)")) {
                String[] cells = line.split("\\|");
                rows.add(new Row(
                        packageOf(cells[1]), inBackticks(cells[2]).get(0), inBackticks(cells[4]), usedBy(cells[5])));
            }
        }
        return rows;
    }

    /**
     * A row of the table of modules.
     *
     * @param names the modules that the row is about
     * @param uses the modules that each of them uses
     * @param lines how many lines of code they have at most
     * @param types how many types they have at most that stand in a file of their own
     */
    record Module(List<String> names, List<String> uses, int lines, int types) {}

    /** The modules with code of the library. */
    static List<Module> modules() {
        List<Module> modules = new ArrayList<>();
        for (String line : section("Modules")) {
            if (line.startsWith("| `")) {
                String[] cells = line.split("\\|");
                modules.add(
                        new Module(inBackticks(cells[1]), inBackticks(cells[3]), number(cells[4]), number(cells[5])));
            }
        }
        return modules;
    }

    private static int number(String cell) {
        return cell.strip().equals("—") ? 0 : Integer.parseInt(cell.strip().replace(",", ""));
    }

    /** The classes that each step names. */
    static List<List<String>> stepsOfACall() {
        return section("The way of a call").stream()
                .filter(line -> line.matches("\\d+\\. .*"))
                .map(PackageTable::inBackticks)
                .map(names ->
                        names.stream().filter(name -> name.matches("[A-Z]\\w+")).toList())
                .toList();
    }

    private static List<String> usedBy(String cell) {
        List<String> uses = new ArrayList<>(List.of(Library.ROOT, packageOf("internal")));
        for (String each : cell.split(",")) {
            String name = each.strip();
            if (name.startsWith("`")) {
                uses.add(packageOf(name));
            } else if (!name.equals("—")) {
                List<String> packages = LIBRARIES.get(name);
                if (packages == null) {
                    throw new AssertionError("The architecture page names an unknown library: '" + name + "'");
                }
                uses.addAll(packages);
            }
        }
        return uses;
    }

    private static String packageOf(String cell) {
        String name = cell.strip().replace("`", "");
        return name.equals("(root)") ? Library.ROOT : Library.ROOT + "." + name;
    }

    private static List<String> inBackticks(String text) {
        return IN_BACKTICKS
                .matcher(text)
                .results()
                .map((MatchResult result) -> result.group(1))
                .toList();
    }

    private static List<String> section(String title) {
        try {
            List<String> lines = Files.readAllLines(PAGE);
            int start = lines.indexOf("## " + title);
            if (start < 0) {
                throw new AssertionError(PAGE + " has no section '" + title + "'");
            }
            List<String> rest = lines.subList(start + 1, lines.size());
            int end = 0;
            while (end < rest.size() && !rest.get(end).startsWith("## ")) {
                end++;
            }
            return rest.subList(0, end);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
