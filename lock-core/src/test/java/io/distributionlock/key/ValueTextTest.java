package io.distributionlock.key;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributionlock.annotation.DistributionLock;
import io.distributionlock.annotation.DistributionLockParam;
import java.lang.reflect.Method;
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
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.core.annotation.MergedAnnotations;

/** The text of a value in the name of a lock. */
@Tag("boot4")
class ValueTextTest {

    private static final LockKeyResolver RESOLVER = LockKeyResolver.standard(new DefaultListableBeanFactory());
    private static final LockDeclaration DECLARATION = declaration();

    /** What follows the key in a name; without codes, because no value has the delimiter. */
    private static String text(Object value) {
        String name = RESOLVER.resolve(new LockInvocation(DECLARATION, null, List.of(value)))
                .get(0);
        return name.substring("k|".length());
    }

    private static LockDeclaration declaration() {
        Method method = Keys.class.getDeclaredMethods()[0];
        var merged = MergedAnnotations.from(method).get(DistributionLock.class);
        return new LockDeclaration(method, Keys.class, List.of(method), merged.synthesize(), AttributeNames.of(merged));
    }

    static class Keys {

        @DistributionLock(key = "k", delimiter = "|")
        public void any(@DistributionLockParam Object value) {}
    }

    @Test
    void textsAndNumbersStayAsTheyAre() {
        assertThat(text("A1001")).isEqualTo("A1001");
        assertThat(text(new StringBuilder("A1001"))).isEqualTo("A1001");
        assertThat(text('x')).isEqualTo("x");
        assertThat(text(42)).isEqualTo(text(42L)).isEqualTo("42");
        assertThat(text(true)).isEqualTo("true");
    }

    @ParameterizedTest
    @CsvSource({"1.0, 1.00", "1, 1.000", "100, 1E+2", "0, 0.00", "-5.50, -5.5"})
    void equalDecimalsAreOneText(String one, String other) {
        assertThat(text(new BigDecimal(one))).isEqualTo(text(new BigDecimal(other)));
    }

    @Test
    void aHugeExponentDoesNotMakeAHugeText() {
        assertThat(text(new BigDecimal("1E+100000000"))).hasSizeLessThan(20);
    }

    @Test
    void zeroHasNoSign() {
        assertThat(text(-0.0d)).isEqualTo(text(0.0d));
        assertThat(text(-0.0f)).isEqualTo(text(0.0f));
    }

    @Test
    void enumsGoByNameWhateverTheyPrint() {
        assertThat(text(Shouting.QUIET)).isEqualTo("QUIET");
        assertThat(text(Shouting.LOUD)).isEqualTo("LOUD");
    }

    @Test
    void valuesOfTheJdkPrintThemselves() {
        UUID id = UUID.randomUUID();
        assertThat(text(id)).isEqualTo(id.toString());
        assertThat(text(LocalDate.of(2026, 11, 21))).isEqualTo("2026-11-21");
        assertThat(text(Duration.ofMinutes(1))).isEqualTo("PT1M");
        assertThat(text(String.class)).isEqualTo("java.lang.String");
    }

    @Test
    void aMomentIsOneTextInWhateverZoneItIsTold() {
        Instant instant = Instant.parse("2026-11-21T07:37:00.123Z");
        assertThat(text(instant.atZone(ZoneId.of("Asia/Shanghai"))))
                .isEqualTo(text(instant.atZone(ZoneId.of("Europe/Paris"))))
                .isEqualTo(text(instant.atOffset(ZoneOffset.ofHours(-7))))
                .isEqualTo(text(instant));
    }

    @Test
    void oldDatesKeepTheirMillisecondsAndForgetTheTimeZone() {
        Instant instant = Instant.parse("2026-11-21T07:37:00.123Z");
        assertThat(text(Date.from(instant))).isEqualTo("2026-11-21T07:37:00.123Z");
        assertThat(text(Timestamp.from(instant))).isEqualTo("2026-11-21T07:37:00.123Z");
        Calendar calendar = Calendar.getInstance(TimeZone.getTimeZone("Asia/Shanghai"));
        calendar.setTime(Date.from(instant));
        assertThat(text(calendar)).isEqualTo("2026-11-21T07:37:00.123Z");
    }

    @Test
    void aClassWithATextOfItsOwnIsUsable() {
        assertThat(text(new Named("A1"))).isEqualTo("Named[id=A1]");
    }

    @Test
    void aClassThatPrintsItsIdentityIsRefused() {
        assertThatThrownBy(() -> text(new Anonymous()))
                .isInstanceOf(LockKeyException.class)
                .hasMessageContaining(Anonymous.class.getName());
        assertThatThrownBy(() -> text(new Delegating())).isInstanceOf(LockKeyException.class);
        Runnable lambda = () -> {};
        assertThatThrownBy(() -> text(lambda)).isInstanceOf(LockKeyException.class);
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
            assertThatThrownBy(() -> text(value))
                    .as(value.toString())
                    .isInstanceOf(LockKeyException.class)
                    .hasMessageContaining(Holder.class.getName());
        }
        assertThat(text(new Holder("ann.lee@cafe"))).isEqualTo("Holder[value=ann.lee@cafe]");
        assertThat(text(new Holder("Ann.Lee@fab.example"))).isEqualTo("Holder[value=Ann.Lee@fab.example]");
        assertThat(text(new Holder(List.of("x@1", "price.eur@10")))).isEqualTo("Holder[value=[x@1, price.eur@10]]");
        assertThat(text(new Holder("ann@1a2b"))).isEqualTo("Holder[value=ann@1a2b]");
        assertThat(text(new Holder(List.of(1, 2)))).isEqualTo("Holder[value=[1, 2]]");
    }

    private record Holder(Object value) {}

    @Test
    void manyValuesAreNotOneValue() {
        assertThatThrownBy(() -> text(List.of("a"))).isInstanceOf(LockKeyException.class);
        assertThatThrownBy(() -> text(Map.of("a", "b"))).isInstanceOf(LockKeyException.class);
        assertThatThrownBy(() -> text(new int[] {1})).isInstanceOf(LockKeyException.class);
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
