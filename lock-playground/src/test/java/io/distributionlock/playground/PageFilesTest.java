package io.distributionlock.playground;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

/** The texts of the page are complete in both languages, and its code is the code that runs. */
class PageFilesTest {

    private static final Path PAGE = Path.of("src", "main", "resources", "static", "page");
    private static final Path SOURCES = Path.of("src", "main", "java", "io", "distributionlock", "playground");

    @Test
    void everyTextExistsInBothLanguages() throws IOException {
        Map<String, String> english = texts(json("en.json"), "");
        Map<String, String> chinese = texts(json("zh.json"), "");

        assertThat(chinese.keySet()).isEqualTo(english.keySet());
        assertThat(english.values()).noneMatch(String::isBlank);
        assertThat(chinese.values()).noneMatch(String::isBlank);
    }

    @Test
    void theCodeOnThePageIsTheCodeThatRuns() throws IOException {
        for (JsonNode scenario : json("scenarios.json")) {
            String source =
                    Files.readString(SOURCES.resolve(scenario.path("source").asText()));
            List<String> lines = source.lines().map(String::strip).toList();
            for (JsonNode line : scenario.path("code")) {
                assertThat(lines)
                        .as(scenario.path("source").asText())
                        .contains(line.asText().strip());
            }
        }
    }

    @Test
    void everyScenarioIsExplained() throws IOException {
        List<String> shown = new ArrayList<>();
        json("scenarios.json")
                .forEach(scenario -> shown.add(scenario.path("name").asText()));
        List<String> explained = new ArrayList<>();
        json("en.json").path("scenarios").propertyNames().forEach(explained::add);

        assertThat(shown).containsExactlyInAnyOrderElementsOf(explained);
    }

    private static JsonNode json(String file) throws IOException {
        return new ObjectMapper().readTree(PAGE.resolve(file).toFile());
    }

    private static Map<String, String> texts(JsonNode node, String prefix) {
        Map<String, String> texts = new TreeMap<>();
        node.properties().forEach(field -> {
            if (field.getValue().isTextual()) {
                texts.put(prefix + field.getKey(), field.getValue().asText());
            } else {
                texts.putAll(texts(field.getValue(), prefix + field.getKey() + "."));
            }
        });
        return texts;
    }
}
