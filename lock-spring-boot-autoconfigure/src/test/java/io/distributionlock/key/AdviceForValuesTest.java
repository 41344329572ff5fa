package io.distributionlock.key;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.distributionlock.LockContext;
import io.distributionlock.annotation.DistributionLock;
import io.distributionlock.annotation.DistributionLockParam;
import io.distributionlock.annotation.InvalidLockDefinitionException;
import io.distributionlock.testing.LockContextRunner;
import java.io.File;
import java.math.BigInteger;
import java.net.InetAddress;
import java.net.URI;
import java.util.List;
import java.util.TimeZone;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Where a value has no text, the message says what to do instead, as it can be written in that place. */
@Tag("boot4")
class AdviceForValuesTest {

    private static void with(Use use) {
        LockContextRunner.local(Service.class).run(context -> use.on(context.getBean(Service.class)));
    }

    @FunctionalInterface
    private interface Use {
        void on(Service service) throws Exception;
    }

    @Test
    void theAdviceFitsThePlace() {
        with(service -> {
            Order order = new Order();
            String values = "such as 'id', 'code', 'name' ";
            assertThat(advice(() -> service.alone(order)))
                    .endsWith("Mark one of its values instead, " + values
                            + "(path = \"id\", or @DistributionLockParam on it).");
            assertThat(advice(() -> service.behind(new Holder(order))))
                    .endsWith("Mark one of its values instead, " + values
                            + "(path = \"order.id\", or @DistributionLockParam on it).");
            assertThat(advice(() -> service.each(List.of(order))))
                    .endsWith("Mark one of its values instead, " + values + "(@DistributionLockParam on it).");
            assertThat(advice(() -> service.byExpression(order)))
                    .endsWith("Read one of its values instead, such as #{#p0.code}.");
            assertThat(advice(() -> service.byPath(new Holder(order))))
                    .endsWith("Read one of its values instead, such as #{#p0.order().code}.");
            assertThat(advice(() -> service.byChoice(order)))
                    .endsWith("Read one of its values instead, such as 'code'.");
        });
    }

    /** As the advice says. */
    @Test
    void theAdviceHelps() {
        with(service -> assertThat(service.advised(new Order())).isEqualTo("k:c:1"));
    }

    @Test
    void aTypeOfTheJdkHasNoValueToSuggest() {
        with(service -> {
            for (Object value : List.of(
                    new File("a"),
                    InetAddress.getLoopbackAddress(),
                    new java.sql.Date(0),
                    TimeZone.getDefault(),
                    URI.create("http://localhost/").toURL(),
                    new Object())) {
                for (Call call : List.<Call>of(
                        () -> service.alone(value),
                        () -> service.each(List.of(value)),
                        () -> service.byExpression(value))) {
                    assertThat(advice(call)).endsWith("another value that stands for it, such as its text.");
                }
            }
        });
    }

    @Test
    void neitherDoesTheStart() {
        LockContextRunner.local(Declared.class).run(context -> {
            InvalidLockDefinitionException failure = (InvalidLockDefinitionException) context.getStartupFailure();
            assertThat(failure.problems())
                    .extracting(problem -> problem.action())
                    .containsExactly(
                            "Mark one of its values instead, such as 'id', 'code', 'name'"
                                    + " (@DistributionLockParam on it).",
                            "Mark another value that stands for it, such as its text.",
                            "Mark one of its values instead, such as 'id', 'code', 'name'"
                                    + " (path = \"order.id\", or @DistributionLockParam on it).");
        });
    }

    @Test
    void aTooLongNumberHasOneAdvice() {
        BigInteger huge = BigInteger.TEN.pow(2_000);
        with(service -> {
            for (Call call : List.<Call>of(
                    () -> service.alone(huge), () -> service.each(List.of(huge)), () -> service.byExpression(huge))) {
                assertThat(advice(call))
                        .endsWith("is a number of more than 1,000 digits. Validate it before, or use another value.");
            }
        });
    }

    @Test
    void whatAnExpressionCallsMayFail() {
        with(service -> assertThatThrownBy(() -> service.failing(new Order()))
                .isInstanceOf(LockKeyException.class)
                .hasMessageContaining("Service.failing(Order)")
                .hasMessageContaining("of its own"));
    }

    private interface Call {
        Object run() throws Exception;
    }

    private static String advice(Call call) {
        Throwable thrown = catchThrowable(call::run);
        assertThat(thrown).isInstanceOf(LockKeyException.class);
        return thrown.getMessage();
    }

    enum Size {
        SMALL
    }

    /** Has no text. */
    public static class Order {

        private final String id = "1";

        public boolean isActive() {
            return true;
        }

        public String getAddress() {
            return "a";
        }

        public String getName() {
            return "n";
        }

        public String getCode() {
            return "c";
        }

        public Size getBig() {
            return Size.SMALL;
        }

        public String fail() {
            throw new IllegalStateException("of its own");
        }
    }

    record Holder(Order order) {}

    static class Service {

        @DistributionLock(key = "k")
        public String alone(@DistributionLockParam Object value) {
            return name();
        }

        @DistributionLock(key = "k")
        public String behind(@DistributionLockParam("order") Object value) {
            return name();
        }

        @DistributionLock(key = "k")
        public String each(@DistributionLockParam(each = true) List<?> values) {
            return name();
        }

        @DistributionLock(key = "k:#{#p0}")
        public String byExpression(Object value) {
            return name();
        }

        @DistributionLock(key = "k:#{#p0.order()}")
        public String byPath(Object value) {
            return name();
        }

        @DistributionLock(key = "k:#{#p0 == null ? 'none' : #p0}")
        public String byChoice(Object value) {
            return name();
        }

        @DistributionLock(key = "k:#{#p0.fail()}")
        public String failing(Order value) {
            return name();
        }

        @DistributionLock(key = "k:#{#p0.code}")
        public String advised(@DistributionLockParam("id") Order value) {
            return name();
        }
    }

    static class Declared {

        @DistributionLock(key = "k")
        public void a(@DistributionLockParam(each = true) List<Order> orders) {}

        @DistributionLock(key = "k")
        public void b(@DistributionLockParam File file) {}

        @DistributionLock(key = "k")
        public void c(@DistributionLockParam("order") Holder holder) {}
    }

    private static String name() {
        return LockContext.leases().get(0).name();
    }
}
