package io.distributionlock.key;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Different values never have one name, whatever stands in them. What names look like: {@link LockKeyTest}. */
@Tag("boot4")
class NameEncodingTest {

    /** Every way to split short texts over one to three values, under delimiters that meet the escaping in its own signs. */
    @ParameterizedTest
    @ValueSource(strings = {":", "::", "~", ":%", ":3", " ", "-u", "·", "：", "\u0000"})
    void differentValuesNeverMakeTheSameName(String delimiter) {
        String[] alphabet = {
            "",
            ":",
            "%",
            "3",
            "~",
            "u",
            "g",
            "a",
            delimiter,
            "%3A",
            "%25",
            "~gq",
            "\uD83D\uDE00",
            "\uD83D",
            "\uDE00",
            "?"
        };
        Map<String, List<String>> seen = new HashMap<>();
        for (List<String> values : tuples(alphabet)) {
            String name = name("k", delimiter, values.toArray(String[]::new));
            // What counts is the bytes that reach the backend.
            String sent = new String(name.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
            List<String> earlier = seen.putIfAbsent(sent, values);
            if (earlier != null) {
                fail("The values %s and %s have the same name: '%s'", earlier, values, name);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"%", "%3A", "3", "A", "u", "w", "ab", "é", "订", "\uD83D\uDE00"})
    void aDelimiterThatBeginsLikeAnEscapeStopsTheStart(String delimiter) {
        assertThat(NameEncoding.canEscape(delimiter)).isFalse();
    }

    private static Set<List<String>> tuples(String[] alphabet) {
        Set<String> texts = new LinkedHashSet<>();
        for (String first : alphabet) {
            for (String second : alphabet) {
                texts.add(first + second);
            }
        }
        Set<List<String>> tuples = new LinkedHashSet<>();
        for (String first : texts) {
            tuples.add(List.of(first));
            for (String second : alphabet) {
                tuples.add(List.of(first, second));
                tuples.add(List.of(second, first));
                for (String third : alphabet) {
                    tuples.add(List.of(second, first, third));
                }
            }
        }
        return tuples;
    }

    @ParameterizedTest
    @ValueSource(strings = {":", "/", "::", "~"})
    void noValueMakesTheNameOfALongOne(String delimiter) {
        String cut = name("k", delimiter, "x".repeat(600));
        String forged = cut.substring(("k" + delimiter).length());
        assertThat(name("k", delimiter, forged)).isNotEqualTo(cut);
        assertThat(NameEncoding.shortened(cut)).isNotEqualTo(cut);
        String twice = name("k", delimiter, name("k", delimiter, forged).substring(("k" + delimiter).length()));
        assertThat(List.of(cut, name("k", delimiter, forged), twice)).doesNotHaveDuplicates();
        String wide = name("k", delimiter, "单".repeat(200));
        assertThat(name("k", delimiter, wide.substring(("k" + delimiter).length())))
                .isNotEqualTo(wide);
    }

    @Test
    void theLimitIsCountedInBytesAndNoCharacterIsCutInTwo() {
        assertThat(name("k", ":", "x".repeat(510))).hasSize(512).doesNotContain("sha256");
        for (int extra = 0; extra < 4; extra++) {
            String name = name("k" + "x".repeat(extra), ":", "单".repeat(200));
            assertThat(name.getBytes(StandardCharsets.UTF_8)).hasSizeBetween(509, 512);
            assertThat(name).doesNotContain("\uFFFD").contains("单~sha256:");
        }
    }

    private static String name(String key, String delimiter, String... values) {
        StringBuilder name = new StringBuilder(key);
        for (String value : values) {
            NameEncoding.append(name.append(delimiter), value, delimiter);
        }
        return NameEncoding.shortened(name.toString());
    }
}
