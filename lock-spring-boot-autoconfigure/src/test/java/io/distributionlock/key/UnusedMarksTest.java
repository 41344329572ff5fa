package io.distributionlock.key;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributionlock.LockContext;
import io.distributionlock.annotation.DistributionLock;
import io.distributionlock.annotation.DistributionLockParam;
import io.distributionlock.testing.LockContextRunner;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;

/** Marks inside of a list and the like make no part of a name. One lock for all may be meant: so that is said, and the application starts. */
@Tag("boot4")
@ExtendWith(OutputCaptureExtension.class)
class UnusedMarksTest {

    private static final String OF_EACH = "put @DistributionLockParam(each = true) on the parameter";
    private static final String OF_ITS_OWN = "put @DistributionLockParam on the parameter";
    private static final String AS_COLLECTION =
            "pass them as one collection and put @DistributionLockParam(each = true)";

    private static List<String> warnings(CapturedOutput output) {
        return output.getAll()
                .lines()
                .filter(line -> line.contains(UnusedMarksTest.class.getName() + "$") && line.contains("WARN"))
                .toList();
    }

    @Test
    void oneLockForAllStartsAndIsSaidOnce(CapturedOutput output) {
        LockContextRunner.local(Twice.class).run(context -> {
            assertThat(context.getBean("one", Importer.class).importAll(List.of(new Order("1"), new Order("2"))))
                    .isEqualTo("import");
            assertThat(warnings(output))
                    .singleElement()
                    .asString()
                    .contains(
                            "@DistributionLock on " + Importer.class.getName() + ".importAll(List): ",
                            "'import'",
                            "parameter 'orders' (List)",
                            Order.class.getName(),
                            OF_EACH,
                            "key = \"#{'import'}\"");
        });
    }

    @ParameterizedTest
    @CsvSource({
        "list, " + OF_EACH,
        "array, " + OF_EACH,
        "optionals, " + OF_EACH,
        "optional, " + OF_ITS_OWN,
        "iterable, " + AS_COLLECTION,
        "stream, " + AS_COLLECTION,
        "map, " + AS_COLLECTION,
        "nested, " + AS_COLLECTION
    })
    void theAdviceIsWhatTheAnnotationAccepts(String method, String advice, CapturedOutput output) {
        LockContextRunner.local(Containers.class)
                .run(context -> assertThat(context).hasNotFailed());
        assertThat(warnings(output))
                .filteredOn(line -> line.contains("." + method + "("))
                .singleElement()
                .asString()
                .contains(advice);
    }

    /** It is what the warning says. */
    @Test
    void theAdviceHelps(CapturedOutput output) {
        LockContextRunner.local(Advised.class).run(context -> {
            Advised advised = context.getBean(Advised.class);
            assertThat(advised.list(List.of(new Order("1")))).isEqualTo("k:1");
            assertThat(advised.array(new Order("1"))).isEqualTo("k:1");
            assertThat(advised.optionals(List.of(Optional.of(new Order("1"))))).isEqualTo("k:1");
            assertThat(advised.optional(Optional.of(new Order("1")))).isEqualTo("k:1");
            assertThat(advised.meant(List.of(new Order("1")))).isEqualTo("k");
            assertThat(advised.quoted(List.of(new Order("1")))).isEqualTo("it's");
        });
        assertThat(warnings(output)).isEmpty();
    }

    @Test
    void whatMakesNamesOtherwiseIsNoMatter(CapturedOutput output) {
        LockContextRunner.local(Other.class).run(context -> assertThat(context).hasNotFailed());
        assertThat(warnings(output)).isEmpty();
    }

    record Order(@DistributionLockParam String id) {}

    static class Importer {

        @DistributionLock(key = "import")
        public String importAll(List<Order> orders) {
            return name();
        }
    }

    static class Twice {

        @Bean
        Importer one() {
            return new Importer();
        }

        @Bean
        Importer other() {
            return new Importer();
        }
    }

    static class Containers {

        @DistributionLock(key = "k")
        public void list(List<? extends Order> orders) {}

        @DistributionLock(key = "k")
        public void array(Order... orders) {}

        @DistributionLock(key = "k")
        public void optionals(List<Optional<Order>> orders) {}

        @DistributionLock(key = "k")
        public void optional(Optional<Order> order) {}

        @DistributionLock(key = "k")
        public void iterable(Iterable<Order> orders) {}

        @DistributionLock(key = "k")
        public void stream(Stream<Order> orders) {}

        @DistributionLock(key = "k")
        public void map(Map<String, List<Order>> orders) {}

        @DistributionLock(key = "k")
        public void nested(List<List<Order>> orders) {}
    }

    static class Advised {

        @DistributionLock(key = "k")
        public String list(@DistributionLockParam(each = true) List<? extends Order> orders) {
            return name();
        }

        @DistributionLock(key = "k")
        public String array(@DistributionLockParam(each = true) Order... orders) {
            return name();
        }

        @DistributionLock(key = "k")
        public String optionals(@DistributionLockParam(each = true) List<Optional<Order>> orders) {
            return name();
        }

        @DistributionLock(key = "k")
        public String optional(@DistributionLockParam Optional<Order> order) {
            return name();
        }

        @DistributionLock(key = "#{'k'}")
        public String meant(List<Order> orders) {
            return name();
        }

        @DistributionLock(key = "#{'it''s'}")
        public String quoted(List<Order> orders) {
            return name();
        }
    }

    static class Other {

        @DistributionLock(key = "k")
        public void otherPart(@DistributionLockParam String code, List<Order> orders) {}

        @DistributionLock(key = "k:#{#p0.size()}")
        public void expression(List<Order> orders) {}

        @DistributionLock(key = "k")
        public void withoutMarks(List<String> codes, Map<String, Object> more) {}
    }

    private static String name() {
        return LockContext.leases().get(0).name();
    }
}
