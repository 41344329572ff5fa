package io.distributionlock.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.core.domain.JavaAccess.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.name;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.LIST;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Holds the code to the architecture page: its table of packages, and the way of a call. */
class PackagesTest {

    private static final int MAX_CLASSES = 30;

    /** On another module of the library. */
    private static final Pattern DEPENDENCY = Pattern.compile(
            "<dependency>\\s*(?:<!--[^>]*-->\\s*)?<groupId>io\\.distributionlock</groupId>\\s*<artifactId>([-\\w]+)</artifactId>((?:(?!</dependency>).)*)</dependency>",
            Pattern.DOTALL);

    private static final Pattern COMMENT =
            Pattern.compile("/\\*.*?\\*/|^\\s*(//|--)[^\\n]*", Pattern.DOTALL | Pattern.MULTILINE);

    static List<PackageTable.Row> rows() {
        return PackageTable.rows();
    }

    @Test
    void everyPackageHasARow() {
        Set<String> packages =
                Library.CLASSES.stream().map(JavaClass::getPackageName).collect(Collectors.toSet());
        assertThat(rows().stream().map(PackageTable.Row::packageName)).containsExactlyInAnyOrderElementsOf(packages);
    }

    /** So the compiler keeps what a module does not depend on out of it. */
    @ParameterizedTest
    @MethodSource("rows")
    void aPackageIsInOneModule(PackageTable.Row row) {
        assertThat(Library.modulesWith(row.packageName())).containsExactly(Path.of("..", row.module()));
    }

    /** What a module brings is what its row in the table of modules names, directly or by one of those. */
    @Test
    void aModuleDependsOnTheModulesThatItsRowNames() throws IOException {
        List<PackageTable.Module> modules = PackageTable.modules();
        assertThat(modules.stream().flatMap(row -> row.names().stream()))
                .containsAll(rows().stream().map(PackageTable.Row::module).toList());
        for (PackageTable.Module row : modules) {
            for (String module : row.names()) {
                String pom = Files.readString(Path.of("..", module, "pom.xml"));
                assertThat(DEPENDENCY
                                .matcher(pom)
                                .results()
                                .filter(found -> !found.group(2).contains("<scope>test</scope>"))
                                .map(found -> found.group(1)))
                        .as("modules that %s depends on", module)
                        .containsExactlyInAnyOrderElementsOf(row.uses());
            }
        }
    }

    /** The page tells how much there is to read; a commit that adds or removes much says so there. */
    @Test
    void aModuleIsAsLargeAsItsRowSays() throws IOException {
        for (PackageTable.Module row : PackageTable.modules()) {
            int lines = 0;
            int types = 0;
            for (String module : row.names()) {
                for (Path file : sourcesOf(Path.of("..", module, "src", "main"))) {
                    lines += linesOfCode(Files.readString(file));
                    types += file.toString().endsWith(".java") && !file.endsWith("package-info.java") ? 1 : 0;
                }
            }
            assertThat(lines).as("lines of code in %s", row.names()).isBetween(row.lines() * 9 / 10, row.lines());
            assertThat(types).as("types in %s", row.names()).isBetween(row.types() * 9 / 10, row.types());
        }
    }

    private static List<Path> sourcesOf(Path folder) throws IOException {
        if (!Files.exists(folder)) {
            return List.of();
        }
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(file -> file.toString().matches(".*\\.(java|lua)"))
                    .toList();
        }
    }

    /** Without blank lines and comments. */
    private static int linesOfCode(String source) {
        return (int) COMMENT.matcher(source)
                .replaceAll("")
                .lines()
                .filter(line -> !line.isBlank())
                .count();
    }

    @ParameterizedTest
    @MethodSource("rows")
    void aPackageIsSmallEnoughToBeRead(PackageTable.Row row) {
        assertThat(Library.topLevelClassesOf(row.packageName())).hasSizeLessThanOrEqualTo(MAX_CLASSES);
    }

    @ParameterizedTest
    @MethodSource("rows")
    void theClassesNamedForAPackageStandThere(PackageTable.Row row) {
        assertThat(row.classes()).isNotEmpty();
        assertThat(new TreeSet<>(Library.topLevelClassesOf(row.packageName()))).containsAll(row.classes());
    }

    @ParameterizedTest
    @MethodSource("rows")
    void aPackageUsesOnlyWhatItsRowNames(PackageTable.Row row) {
        String[] allowed = Stream.concat(
                        row.uses().stream(),
                        Stream.of(row.packageName(), "java..", "org.jspecify..", "org.apache.commons.logging.."))
                .toArray(String[]::new);
        classes()
                .that()
                .resideInAPackage(row.packageName())
                .should()
                .onlyDependOnClassesThat(resideInAnyPackage(allowed).or(arraysAndPrimitives()))
                .check(Library.CLASSES);
    }

    private static DescribedPredicate<JavaClass> arraysAndPrimitives() {
        return describe(
                "primitive or an array",
                type -> type.isPrimitive() || type.getBaseComponentType().isPrimitive());
    }

    @Test
    void thereAreNoCyclesBetweenPackages() {
        slices().matching(Library.ROOT + ".(**)").should().beFreeOfCycles().check(Library.CLASSES);
    }

    @Test
    void theWayOfACallHasAtMostADozenStepsThatExist() {
        List<List<String>> steps = PackageTable.stepsOfACall();
        assertThat(steps).hasSizeBetween(10, 13);
        assertThat(steps.subList(0, 6)).last().asInstanceOf(LIST).first().isEqualTo("LockExecutor");
        assertThat(steps).allSatisfy(classes -> assertThat(classes).isNotEmpty());
        Set<String> known =
                Library.CLASSES.stream().map(JavaClass::getSimpleName).collect(Collectors.toSet());
        assertThat(known).containsAll(steps.stream().flatMap(List::stream).toList());
    }

    /** Its thread never ends, and keeps the class loader of its first user. A future of the application passes on what its holder calls. */
    @Test
    void nothingUsesTheTimerOfCompletableFuture() {
        for (String timed : List.of("orTimeout", "completeOnTimeout", "delayedExecutor")) {
            noClasses()
                    .that()
                    .doNotHaveSimpleName("UserFuture")
                    .should()
                    .callMethodWhere(
                            target(owner(assignableTo(CompletableFuture.class))).and(target(name(timed))))
                    .check(Library.CLASSES);
        }
    }
}
