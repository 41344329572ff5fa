package io.distributionlock.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributionlock.annotation.DistributionLock;
import io.distributionlock.annotation.DistributionLockParam;
import io.distributionlock.annotation.FencingToken;
import io.distributionlock.annotation.LeaderOnly;
import io.distributionlock.annotation.RefuseRepeats;
import io.distributionlock.annotation.ScheduledLock;
import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The page of annotations names each attribute with its default, its property and an example that compiles, and no other. */
class AnnotationsPageTest {

    private static final Page PAGE = Page.of("docs/annotations.md");

    private static final Pattern PROPERTY = Pattern.compile("`(distribution-lock\\.[a-z.-]+)`");

    @TempDir
    Path output;

    static List<Class<? extends Annotation>> annotations() {
        return List.of(
                DistributionLock.class,
                DistributionLockParam.class,
                RefuseRepeats.class,
                ScheduledLock.class,
                LeaderOnly.class,
                FencingToken.class);
    }

    private static List<List<String>> rows(Class<? extends Annotation> annotation) {
        return PAGE.section("## @" + annotation.getSimpleName()).stream()
                .filter(line -> line.startsWith("| `"))
                .map(Page::cells)
                .toList();
    }

    /** A row may describe several attributes with the same default. */
    private static List<String> attributes(List<String> row) {
        return List.of(row.get(0).replace("`", "").split(", "));
    }

    @ParameterizedTest
    @MethodSource("annotations")
    void everyAttributeStandsInTheTableWithItsDefault(Class<? extends Annotation> annotation) {
        Map<String, String> documented = new TreeMap<>();
        for (List<String> row : rows(annotation)) {
            for (String attribute : attributes(row)) {
                assertThat(documented.put(attribute, row.get(1).replace("`", "")))
                        .as("a second row for " + attribute)
                        .isNull();
            }
        }
        Map<String, String> declared = new TreeMap<>();
        for (Method attribute : annotation.getDeclaredMethods()) {
            declared.put(attribute.getName(), asWritten(attribute.getDefaultValue()));
        }
        assertThat(documented).isEqualTo(declared);
    }

    private static String asWritten(@Nullable Object defaultValue) {
        if (defaultValue == null) {
            return "must be given";
        }
        if (DistributionLockParam.NULL_IS_AN_ERROR.equals(defaultValue)) {
            return "NULL_IS_AN_ERROR";
        }
        if (defaultValue instanceof Enum<?> constant) {
            return constant.name();
        }
        return defaultValue instanceof String text ? '"' + text + '"' : String.valueOf(defaultValue);
    }

    @Test
    void everyPropertyThatATableNamesExists() {
        String properties = String.join("\n", Page.of("docs/properties.md").lines());
        List<String> named = rows(DistributionLock.class).stream()
                .flatMap(row -> PROPERTY.matcher(row.get(2)).results())
                .map(property -> "| `" + property.group(1) + "` |")
                .toList();
        assertThat(named).hasSize(4).allSatisfy(row -> assertThat(properties).contains(row));
    }

    @Test
    void everyExampleCompiles() {
        List<String> members = new ArrayList<>();
        for (List<String> row : rows(DistributionLock.class)) {
            String key = attributes(row).contains("key") ? "" : "key = \"order\", ";
            add(members, "@DistributionLock(" + key + example(row) + ") void m() {}");
        }
        for (List<String> row : rows(DistributionLockParam.class)) {
            add(members, "void m(@DistributionLockParam(" + example(row) + ") java.util.List<String> v) {}");
        }
        for (List<String> row : rows(RefuseRepeats.class)) {
            String key = row.get(0).equals("`key`") ? "" : "key = \"order\", ";
            String within = row.get(0).equals("`within`") ? "" : ", within = \"5s\"";
            add(members, "@RefuseRepeats(" + key + example(row) + within + ") void m() {}");
        }
        for (List<String> row : rows(ScheduledLock.class)) {
            String name = row.get(0).equals("`name`") ? "" : "name = \"job\", ";
            add(members, "@ScheduledLock(" + name + example(row) + ") void m() {}");
        }
        for (List<String> row : rows(LeaderOnly.class)) {
            add(members, "@LeaderOnly(" + example(row) + ") void m() {}");
        }
        assertThat(new SnippetCompiler(output)
                        .compile("table", List.of(new Snippet("table", 1, String.join("\n", members), false)))
                        .problems())
                .isEmpty();
    }

    private static String example(List<String> row) {
        assertThat(row).as("the row of " + row.get(0)).hasSize(4);
        String example = row.get(3).replace("`", "");
        assertThat(attributes(row)).as(example).anyMatch(attribute -> example.contains(attribute + " = "));
        return example;
    }

    /** The line that a problem names is that of the member. */
    private static void add(List<String> members, String member) {
        members.add(member.replace(" m(", " m" + members.size() + "("));
    }
}
