package io.distributionlock.docs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** What may prove a promise: the tests of the modules that Maven builds, and what TLC checks. */
final class Proofs {

    private static final Pattern MODULE = Pattern.compile("<module>([^<]+)</module>");
    private static final Pattern TEST = Pattern.compile("[A-Z]\\w*(Test|IT|Contract)(\\.\\w+)?");
    private static final Path SPECIFICATION = Page.project().resolve("verification/specification");

    private final Map<String, String> sources = new TreeMap<>();
    private final Set<String> withoutFailsafe = new HashSet<>();
    private final String configurations;
    private final String modules;

    Proofs() {
        for (Path module : modulesBelow(Page.project())) {
            Set<String> before = Set.copyOf(sources.keySet());
            read(module.resolve("src/test/java"));
            if (!text(module.resolve("pom.xml")).contains("maven-failsafe-plugin")) {
                sources.keySet().stream()
                        .filter(type -> type.endsWith("IT") && !before.contains(type))
                        .forEach(withoutFailsafe::add);
            }
        }
        // It is published, and run by each executor.
        read(Page.project().resolve("lock-executor-tck/src/main/java"));
        configurations = text(SPECIFICATION.resolve("configurations.txt"));
        modules = text(SPECIFICATION.resolve("LockProtocol.tla"))
                + text(SPECIFICATION.resolve("QuorumLock.tla"))
                + text(SPECIFICATION.resolve("FencedCommit.tla"));
    }

    private static List<Path> modulesBelow(Path parent) {
        List<Path> found = new ArrayList<>();
        MODULE.matcher(text(parent.resolve("pom.xml")))
                .results()
                .map(module -> parent.resolve(module.group(1)))
                .distinct()
                .forEach(module -> {
                    found.add(module);
                    found.addAll(modulesBelow(module));
                });
        return found;
    }

    private void read(Path folder) {
        if (!Files.isDirectory(folder)) {
            return;
        }
        try (Stream<Path> files = Files.walk(folder)) {
            files.filter(file -> file.toString().endsWith(".java"))
                    .forEach(file -> sources.put(file.getFileName().toString().replace(".java", ""), text(file)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Says what is wrong with a proof of this name. */
    Optional<String> problemWith(String name) {
        if (!TEST.matcher(name).matches()) {
            return problemWithInvariant(name);
        }
        String type = name.replaceFirst("\\..*", "");
        String source = sources.get(type);
        if (source == null) {
            return Optional.of("there is no test " + type + " in a module that Maven builds");
        }
        if (!isRun(type, new HashSet<>())) {
            return Optional.of("no test runs " + type);
        }
        if (name.contains(".") && !hasTest(source, name.substring(type.length() + 1))) {
            return Optional.of(type + " has no test " + name.substring(type.length() + 1));
        }
        return Optional.empty();
    }

    /** Surefire and Failsafe run what ends with Test and IT; a contract runs where a test extends it. */
    private boolean isRun(String type, Set<String> seen) {
        String source = sources.getOrDefault(type, "");
        if (source.contains("@Disabled")) {
            return false;
        }
        if (type.matches(".*(Test|IT)") && !source.contains("abstract class " + type)) {
            return (hasTest(source, "\\w+") || source.contains(" extends ")) && !withoutFailsafe.contains(type);
        }
        Pattern extending = Pattern.compile("extends " + type + "\\b");
        return seen.add(type)
                && sources.entrySet().stream()
                        .filter(other -> extending.matcher(other.getValue()).find())
                        .anyMatch(other -> isRun(other.getKey(), seen));
    }

    /** Between the annotation and the method there is no empty line. */
    private static boolean hasTest(String source, String method) {
        return Pattern.compile(
                        "@(?:\\w*Test|OnEveryThreadKind)\\b(?:(?!\\n\\s*\\n).)*?\\bvoid " + method + "\\(",
                        Pattern.DOTALL)
                .matcher(source)
                .find();
    }

    private Optional<String> problemWithInvariant(String name) {
        if (!Pattern.compile("(?m)^" + Pattern.quote(name) + " ==")
                .matcher(modules)
                .find()) {
            return Optional.of("the specification has no property " + name);
        }
        return Pattern.compile("\\+" + Pattern.quote(name) + "\\b")
                        .matcher(configurations)
                        .find()
                ? Optional.empty()
                : Optional.of("no configuration checks " + name);
    }
}
