package io.distributionlock.docs;

import static org.assertj.core.api.Assertions.assertThat;

import com.jayway.jsonpath.JsonPath;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** The page of properties names each property that the library has, with its default, and no other. */
class PropertiesPageTest {

    private static final String PREFIX = "distribution-lock.";

    @Test
    void everyPropertyStandsOnThePageWithItsDefault() throws IOException {
        assertThat(propertiesOfPage()).isEqualTo(propertiesOfMetadata());
    }

    private static Map<String, String> propertiesOfPage() {
        Map<String, String> properties = new TreeMap<>();
        for (String line : Page.of("docs/properties.md").lines()) {
            if (line.startsWith("| `" + PREFIX)) {
                List<String> cells = Page.cells(line);
                assertThat(cells).as(line).hasSize(3).doesNotContain("");
                String property = cells.get(0).replace("`", "");
                assertThat(properties.put(property, cells.get(1).replace("`", "")))
                        .as("a second line for " + property)
                        .isNull();
            }
        }
        return properties;
    }

    private static Map<String, String> propertiesOfMetadata() throws IOException {
        Map<String, String> properties = new TreeMap<>();
        ClassLoader classes = PropertiesPageTest.class.getClassLoader();
        for (URL file : Collections.list(classes.getResources("META-INF/spring-configuration-metadata.json"))) {
            try (InputStream content = file.openStream()) {
                String json = new String(content.readAllBytes(), StandardCharsets.UTF_8);
                if (json.contains("\"" + PREFIX)) {
                    List<Map<String, Object>> described = JsonPath.read(json, "$.properties");
                    described.stream()
                            .filter(property -> !property.containsKey("deprecation"))
                            // Spring Boot adds those that every endpoint has.
                            .filter(property ->
                                    String.valueOf(property.get("name")).startsWith(PREFIX))
                            .forEach(property -> properties.put(
                                    String.valueOf(property.get("name")),
                                    String.valueOf(property.getOrDefault("defaultValue", "none"))));
                }
            }
        }
        assertThat(properties).isNotEmpty();
        return properties;
    }
}
