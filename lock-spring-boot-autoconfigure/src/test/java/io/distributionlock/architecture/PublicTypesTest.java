package io.distributionlock.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaModifier;
import io.distributionlock.internal.Internal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The public line: a public type is promised, and listed by name, or {@link Internal}. To promise one is a decision: add its name
 * to the list. The comparison of releases leaves out what is internal, and so does the Javadoc.
 */
class PublicTypesTest {

    private static final Path PROMISED = Path.of("src/test/resources/promised-types.txt");

    @Test
    void aPublicTypeIsPromisedOrInternal() throws IOException {
        List<String> promised = publicTypes()
                .filter(type -> !type.isAnnotatedWith(Internal.class))
                .map(JavaClass::getName)
                .sorted()
                .toList();
        assertThat(promised).isEqualTo(Files.readAllLines(PROMISED));
    }

    @Test
    void theJavadocOfAnInternalTypeIsHidden() throws IOException {
        for (JavaClass type : publicTypes().toList()) {
            String source =
                    Files.readString(Path.of("src/main/java", type.getName().replace('.', '/') + ".java"));
            assertThat(source.contains(" * @hidden\n") || source.contains("@hidden */"))
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

    private static Stream<JavaClass> publicTypes() {
        return Library.CLASSES.stream()
                .filter(type -> type.isTopLevelClass() && type.getModifiers().contains(JavaModifier.PUBLIC));
    }
}
