package io.distributionlock.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaModifier;
import io.distributionlock.internal.Internal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The public line: a public type is promised, and listed with what can be seen of it, or {@link Internal}. To promise one is a decision,
 * and so is each change of one: {@code -Dapi.rewrite=true} writes the list anew, to review the difference. The comparison of releases
 * leaves out what is internal, and so does the Javadoc.
 */
class PublicTypesTest {

    private static final Path PROMISED = Path.of("src/test/resources/promised-api.txt");

    @Test
    void whatIsPromisedIsListed() throws IOException {
        List<String> api = publicTypes()
                .filter(type -> !type.isAnnotatedWith(Internal.class))
                .sorted(Comparator.comparing(JavaClass::getName))
                .flatMap(type -> PromisedApi.of(type.reflect()).stream())
                .toList();
        if (Boolean.getBoolean("api.rewrite")) {
            Files.write(PROMISED, api);
        }
        assertThat(PromisedApi.difference(Files.readAllLines(PROMISED), api))
                .as("what differs from promised-api.txt. If docs/policy.md allows it, write the list anew with"
                        + " -Dapi.rewrite=true")
                .isEmpty();
    }

    /** The packages of the API contain nothing else. */
    @Test
    void theRootHasFewTypesAndEachIsPromised() {
        List<JavaClass> types = Library.CLASSES.stream()
                .filter(type -> type.isTopLevelClass() && type.getPackageName().equals(Library.ROOT))
                .filter(type -> !type.getSimpleName().equals("package-info"))
                .toList();
        assertThat(types).hasSizeLessThanOrEqualTo(25).allMatch(PublicTypesTest::isPromised);
    }

    @Test
    void theJavadocOfAnInternalTypeIsHidden() throws IOException {
        for (JavaClass type : publicTypes().toList()) {
            String source = Library.sourceOf(type);
            assertThat(source.contains("\n * @hidden\n") || source.contains("@hidden */"))
                    .as("@hidden in the Javadoc of " + type.getName())
                    .isEqualTo(type.isAnnotatedWith(Internal.class));
        }
    }

    @Test
    void onlyPublicTypesAreMarkedAsInternal() {
        assertThat(Library.CLASSES.stream()
                        .filter(type -> type.isAnnotatedWith(Internal.class))
                        .filter(type -> !type.getModifiers().contains(JavaModifier.PUBLIC)))
                .isEmpty();
    }

    /** Code that extends, calls or implements a promised type needs no internal one. */
    @Test
    void noPromisedTypeShowsAnInternalOne() {
        Set<String> shown = new TreeSet<>();
        Library.CLASSES.stream()
                .filter(PublicTypesTest::isPromised)
                .forEach(
                        type -> internalTypesIn(type).forEach(internal -> shown.add(type.getName() + ": " + internal)));
        assertThat(shown).isEmpty();
    }

    private static boolean isPromised(JavaClass type) {
        boolean promised = type.getModifiers().contains(JavaModifier.PUBLIC) && !type.isAnnotatedWith(Internal.class);
        return promised
                && type.getEnclosingClass().map(PublicTypesTest::isPromised).orElse(true);
    }

    private static Stream<String> internalTypesIn(JavaClass type) {
        Stream<JavaClass> supertypes =
                Stream.concat(type.getRawSuperclass().stream(), type.getRawInterfaces().stream());
        Stream<JavaClass> codeUnits = type.getCodeUnits().stream()
                .filter(unit -> isVisible(unit.getModifiers()))
                .flatMap(unit -> Stream.concat(
                        unit.getReturnType().getAllInvolvedRawTypes().stream(),
                        unit.getParameterTypes().stream().flatMap(each -> each.getAllInvolvedRawTypes().stream())));
        Stream<JavaClass> fields = type.getFields().stream()
                .filter(field -> isVisible(field.getModifiers()))
                .flatMap(field -> field.getType().getAllInvolvedRawTypes().stream());
        return Stream.of(supertypes, codeUnits, fields)
                .flatMap(each -> each)
                .filter(each -> each.getName().startsWith(Library.ROOT))
                .filter(each -> !isPromised(each))
                .map(JavaClass::getName);
    }

    private static boolean isVisible(Set<JavaModifier> modifiers) {
        return modifiers.contains(JavaModifier.PUBLIC) || modifiers.contains(JavaModifier.PROTECTED);
    }

    private static Stream<JavaClass> publicTypes() {
        return Library.CLASSES.stream()
                .filter(type -> type.isTopLevelClass() && type.getModifiers().contains(JavaModifier.PUBLIC));
    }
}
