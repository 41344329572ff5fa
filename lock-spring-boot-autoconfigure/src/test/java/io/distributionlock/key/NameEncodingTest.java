package io.distributionlock.key;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;
import static org.mockito.Mockito.mock;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("boot4")
class NameEncodingTest {

    @Test
    void ordinaryValuesStayReadable() {
        assertThat(name("updateOrderStatus", ":", "A1001")).isEqualTo("updateOrderStatus:A1001");
        assertThat(name("order", ":", "订单 7", "x-y_z.1")).isEqualTo("order:订单 7:x-y_z.1");
        assertThat(name("order", ":")).isEqualTo("order");
    }

    @Test
    void aDelimiterInAValueIsEscaped() {
        assertThat(name("k", ":", "a:b", "c")).isEqualTo("k:a%3Ab:c");
        assertThat(name("k", ":", "a", "b:c")).isEqualTo("k:a:b%3Ac");
        assertThat(name("k", ":", "a%3Ab", "c")).isEqualTo("k:a%253Ab:c");
    }

    /** Every way to split short texts over one to three values, under delimiters that meet the escaping in its own signs. */
    @ParameterizedTest
    @ValueSource(strings = {":", "::", "~", ":%", ":3", " ", "-u", "·", "：", "\u0000"})
    void differentValuesNeverMakeTheSameName(String delimiter) {
        String[] alphabet = {
            "",
            ":",
            "%",
            "3",
            "A",
            "~",
            "u",
            "g",
            "w",
            "a",
            "b",
            delimiter,
            "%3A",
            "%25",
            "~gq",
            "\uD83D\uDE00",
            "\uD83D",
            "\uDE00",
            "?",
            "é"
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

    @Test
    void aLongNameKeepsItsBeginningAndEndsInADigest() {
        String name = name("order", ":", "x".repeat(600));
        assertThat(name).startsWith("order:xxxx").matches(".*~sha256:[0-9a-f]{64}");
        assertThat(name.getBytes(StandardCharsets.UTF_8)).hasSize(512);
        assertThat(name).isNotEqualTo(name("order", ":", "x".repeat(601)));
        assertThat(name).isEqualTo(name("order", ":", "x".repeat(600)));
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

    @Test
    void aNameThatIsTooLongOnceRenamedIsCutAsWell() {
        LockKeyResolver resolver = invocation -> List.of("order");
        assertThat(resolver.renaming(name -> name + "x".repeat(600)).resolve(mock(LockInvocation.class)))
                .singleElement(InstanceOfAssertFactories.STRING)
                .startsWith("orderxxx")
                .hasSize(512);
    }

    private static String name(String key, String delimiter, String... values) {
        StringBuilder name = new StringBuilder(key);
        for (String value : values) {
            NameEncoding.append(name.append(delimiter), value, delimiter);
        }
        return NameEncoding.shortened(name.toString());
    }
}
