package io.distributionlock.architecture;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The classes that the library ships, of all its modules. */
final class Library {

    static final String ROOT = "io.distributionlock";

    private static final Path PROJECT = Path.of("..");

    /** What the tests have on their class path besides: tests of other modules, and what tests share. */
    private static final Pattern OF_TESTS =
            Pattern.compile(".*(-tests\\.jar!|/lock-test-support[-/]|/lock-executor-tck[-/]).*");

    static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .withImportOption(place -> !place.matches(OF_TESTS))
            .importPackages(ROOT)
            .that(com.tngtech.archunit.base.DescribedPredicate.describe(
                    "of the library itself", type -> !type.getSimpleName().equals("package-info")));

    private Library() {}

    static List<String> topLevelClassesOf(String packageName) {
        return CLASSES.stream()
                .filter(type -> type.getPackageName().equals(packageName) && type.isTopLevelClass())
                .map(JavaClass::getSimpleName)
                .toList();
    }

    /** The folders of the modules that have sources of this package. */
    static List<Path> modulesWith(String packageName) {
        try (Stream<Path> folders = Files.list(PROJECT)) {
            return folders.filter(
                            module -> Files.exists(sources(module, packageName).resolve("package-info.java")))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The source of a top-level class. */
    static String sourceOf(JavaClass type) throws IOException {
        Path module = modulesWith(type.getPackageName()).get(0);
        return Files.readString(sources(module, type.getPackageName()).resolve(type.getSimpleName() + ".java"));
    }

    private static Path sources(Path module, String packageName) {
        return module.resolve("src/main/java").resolve(packageName.replace('.', '/'));
    }
}
