package io.distributionlock.key;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.sql.Timestamp;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Calendar;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.TimeZone;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("boot4")
class KeyTextTest {

    @Test
    void textsAndNumbersStayAsTheyAre() {
        assertThat(KeyText.of("A1001")).isEqualTo("A1001");
        assertThat(KeyText.of(new StringBuilder("A1001"))).isEqualTo("A1001");
        assertThat(KeyText.of('x')).isEqualTo("x");
        assertThat(KeyText.of(42)).isEqualTo(KeyText.of(42L)).isEqualTo("42");
        assertThat(KeyText.of(true)).isEqualTo("true");
    }

    @ParameterizedTest
    @CsvSource({"1.0, 1.00", "1, 1.000", "100, 1E+2", "0, 0.00", "-5.50, -5.5"})
    void equalDecimalsAreOneText(String one, String other) {
        assertThat(KeyText.of(new BigDecimal(one))).isEqualTo(KeyText.of(new BigDecimal(other)));
    }

    @Test
    void aHugeExponentDoesNotMakeAHugeText() {
        assertThat(KeyText.of(new BigDecimal("1E+100000000"))).hasSizeLessThan(20);
    }

    @Test
    void zeroHasNoSign() {
        assertThat(KeyText.of(-0.0d)).isEqualTo(KeyText.of(0.0d));
        assertThat(KeyText.of(-0.0f)).isEqualTo(KeyText.of(0.0f));
    }

    @Test
    void enumsGoByNameWhateverTheyPrint() {
        assertThat(KeyText.of(Shouting.QUIET)).isEqualTo("QUIET");
        assertThat(KeyText.of(Shouting.LOUD)).isEqualTo("LOUD");
    }

    @Test
    void valuesOfTheJdkPrintThemselves() {
        UUID id = UUID.randomUUID();
        assertThat(KeyText.of(id)).isEqualTo(id.toString());
        assertThat(KeyText.of(LocalDate.of(2026, 11, 21))).isEqualTo("2026-11-21");
        assertThat(KeyText.of(Duration.ofMinutes(1))).isEqualTo("PT1M");
        assertThat(KeyText.of(String.class)).isEqualTo("java.lang.String");
    }

    /** A5. */
    @Test
    void aMomentIsOneTextInWhateverZoneItIsTold() {
        Instant instant = Instant.parse("2026-11-21T07:37:00.123Z");
        assertThat(KeyText.of(instant.atZone(ZoneId.of("Asia/Shanghai"))))
                .isEqualTo(KeyText.of(instant.atZone(ZoneId.of("Europe/Paris"))))
                .isEqualTo(KeyText.of(instant.atOffset(ZoneOffset.ofHours(-7))))
                .isEqualTo(KeyText.of(instant));
    }

    @Test
    void oldDatesKeepTheirMillisecondsAndForgetTheTimeZone() {
        Instant instant = Instant.parse("2026-11-21T07:37:00.123Z");
        assertThat(KeyText.of(Date.from(instant))).isEqualTo("2026-11-21T07:37:00.123Z");
        assertThat(KeyText.of(Timestamp.from(instant))).isEqualTo("2026-11-21T07:37:00.123Z");
        Calendar calendar = Calendar.getInstance(TimeZone.getTimeZone("Asia/Shanghai"));
        calendar.setTime(Date.from(instant));
        assertThat(KeyText.of(calendar)).isEqualTo("2026-11-21T07:37:00.123Z");
        assertThat(KeyText.of(java.sql.Date.valueOf("2026-11-21"))).isEqualTo("2026-11-21");
    }

    @Test
    void aClassWithATextOfItsOwnIsUsable() {
        assertThat(KeyText.of(new Named("A1"))).isEqualTo("Named[id=A1]");
    }

    @Test
    void aClassThatPrintsItsIdentityIsRefused() {
        assertThatThrownBy(() -> KeyText.of(new Anonymous()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(Anonymous.class.getName());
        assertThatThrownBy(() -> KeyText.of(new Delegating())).isInstanceOf(IllegalArgumentException.class);
        Runnable lambda = () -> {};
        assertThatThrownBy(() -> KeyText.of(lambda)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aClassThatPrintsTheIdentityOfSomethingInsideIsRefused() {
        for (Object value : List.of(
                new Holder(new int[] {1}),
                new Holder(new String[] {"a"}),
                new Holder(new int[][] {{1}}),
                new Holder(new Anonymous()),
                new Holder((Runnable) () -> {}),
                new Holder(new Object()))) {
            assertThatThrownBy(() -> KeyText.of(value))
                    .as(value.toString())
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining(Holder.class.getName());
        }
        assertThat(KeyText.of(new Holder("ann.lee@cafe"))).isEqualTo("Holder[value=ann.lee@cafe]");
        assertThat(KeyText.of(new Holder("Ann.Lee@fab.example"))).isEqualTo("Holder[value=Ann.Lee@fab.example]");
        assertThat(KeyText.of(new Holder(List.of("x@1", "price.eur@10"))))
                .isEqualTo("Holder[value=[x@1, price.eur@10]]");
        assertThat(KeyText.of(new Holder("ann@1a2b"))).isEqualTo("Holder[value=ann@1a2b]");
        assertThat(KeyText.of(new Holder(List.of(1, 2)))).isEqualTo("Holder[value=[1, 2]]");
    }

    private record Holder(Object value) {}

    @Test
    void manyValuesAreNotOneValue() {
        assertThatThrownBy(() -> KeyText.of(List.of("a"))).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> KeyText.of(Map.of("a", "b"))).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> KeyText.of(new int[] {1})).isInstanceOf(IllegalArgumentException.class);
    }

    private enum Shouting {
        QUIET,
        LOUD {
            @Override
            public String toString() {
                return "loud!";
            }
        }
    }

    private record Named(String id) {}

    private static final class Anonymous {}

    private static final class Delegating {
        @Override
        public String toString() {
            return super.toString();
        }
    }
}
