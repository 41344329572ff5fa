package io.distributionlock.docs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A page of the documentation.
 *
 * @param path relative to the project, as people name it
 * @param lines its text
 */
record Page(String path, List<String> lines) {

    /** The directory of the whole project, wherever the tests are started. */
    static Path project() {
        Path directory = Path.of("").toAbsolutePath();
        while (!Files.exists(directory.resolve("mvnw"))) {
            directory = directory.getParent();
            if (directory == null) {
                throw new IllegalStateException("The tests do not run inside the project: there is no mvnw above "
                        + Path.of("").toAbsolutePath());
            }
        }
        return directory;
    }

    /** The README in both languages, and everything in docs. */
    static List<Page> all() {
        List<Page> pages = new ArrayList<>();
        pages.add(of("README.md"));
        pages.add(of("README.zh-CN.md"));
        try (Stream<Path> files = Files.walk(project().resolve("docs"))) {
            files.filter(file -> file.toString().endsWith(".md"))
                    .sorted()
                    .map(file -> project()
                            .relativize(file)
                            .toString()
                            .replace(file.getFileSystem().getSeparator(), "/"))
                    .forEach(path -> pages.add(of(path)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return pages;
    }

    static Page of(String path) {
        try {
            return new Page(path, Files.readAllLines(project().resolve(path)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The names of all classes that the modules of the project are tested with, the published contract of executors included. */
    static Set<String> testsOfTheProject() {
        Path contract = project().resolve("lock-executor-tck/src/main/java/io/distributionlock/test/contract");
        return Stream.concat(Stream.of(contract), modules().map(module -> module.resolve("src/test/java")))
                .filter(Files::isDirectory)
                .flatMap(tests -> javaClasses(tests).stream())
                .collect(Collectors.toSet());
    }

    private static Stream<Path> modules() {
        return Stream.of(".", "verification", "verification/compatibility")
                .flatMap(parent -> children(project().resolve(parent)).stream());
    }

    private static List<Path> children(Path folder) {
        try (Stream<Path> children = Files.list(folder)) {
            return children.toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<String> javaClasses(Path directory) {
        try (Stream<Path> files = Files.walk(directory)) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.endsWith(".java"))
                    .map(name -> name.substring(0, name.length() - ".java".length()))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The file that the page is in. */
    Path file() {
        return project().resolve(path);
    }

    /** The lines below a heading, up to the next one. */
    List<String> section(String heading) {
        int start = lines.indexOf(heading);
        if (start < 0) {
            throw new AssertionError(path + " has no heading '" + heading + "'");
        }
        int end = start + 1;
        while (end < lines.size() && !lines.get(end).startsWith("#")) {
            end++;
        }
        return lines.subList(start + 1, end);
    }

    /** The cells of a row of a table; the text of a cell holds no bars. */
    static List<String> cells(String row) {
        return Stream.of(row.substring(1).split("\\|")).map(String::trim).toList();
    }

    @Override
    public String toString() {
        return path;
    }
}
