package io.distributionlock.key;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributionlock.annotation.DistributionLock;
import io.distributionlock.annotation.DistributionLockParam;
import io.distributionlock.annotation.LockProblem;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.core.annotation.MergedAnnotations;

@Tag("boot4")
class KeyPartsTest {

    private static KeyParts parts(String name) {
        Method method = Stream.of(Orders.class.getDeclaredMethods())
                .filter(each -> each.getName().equals(name))
                .findFirst()
                .orElseThrow();
        var merged = MergedAnnotations.from(Orders.class).get(DistributionLock.class);
        return KeyParts.of(new LockDeclaration(
                method, Orders.class, List.of(method), merged.synthesize(), AttributeNames.of(merged)));
    }

    private static List<List<String>> alternatives(String name, @Nullable Object... arguments) {
        return parts(name).alternatives(Arrays.asList(arguments));
    }

    @Test
    void withoutMarksTheNameHasNoParts() {
        assertThat(alternatives("unmarked", "A1", 7)).containsExactly(List.of());
    }

    @Test
    void markedParametersFollowTheirOrder() {
        assertThat(alternatives("ordered", "A1", 7)).containsExactly(List.of("7", "A1"));
    }

    @Test
    void aPathLeadsThroughPropertiesFieldsMapsAndOptionals() {
        Customer customer = new Customer(Optional.of(new Address("Rome")), Map.of("tier", "gold"));
        assertThat(alternatives("paths", customer, customer, customer))
                .containsExactly(List.of("Rome", "gold", "secret"));
    }

    @Test
    void aPathThatDoesNotExistIsAProblem() {
        assertThat(parts("badPath").check("The lock"))
                .singleElement()
                .extracting(LockProblem::description)
                .isEqualTo(
                        "The lock: the path 'address.street' of parameter 'customer' (Customer) has no step 'street'.");
    }

    @Test
    void nullIsRefusedSkippedOrReplaced() {
        assertThatThrownBy(() -> alternatives("ordered", null, 7))
                .isInstanceOf(LockKeyException.class)
                .hasMessageContaining("Orders.ordered(String, int): parameter 'id' (String) is null");
        assertThat(alternatives("skipped", null, "none")).containsExactly(List.of("none"));
        assertThat(alternatives("skipped", null, null)).containsExactly(List.of("-"));
    }

    @Test
    void eachElementMakesAnAlternative() {
        assertThat(alternatives("each", List.of("A", "B"), "x")).containsExactly(List.of("A", "x"), List.of("B", "x"));
        assertThatThrownBy(() -> alternatives("each", List.of(), "x"))
                .isInstanceOf(LockKeyException.class)
                .hasMessageContaining("is empty");
    }

    @Test
    void markedMembersOfAnArgumentAreParts() {
        assertThat(alternatives("members", new Order("A1", 7))).containsExactly(List.of("A1"));
        assertThatThrownBy(() -> alternatives("members", (Object) null))
                .isInstanceOf(LockKeyException.class)
                .hasMessageContaining("some of its members are parts of the name");
    }

    @Test
    void aComponentCountsOnceWhateverItsNameBeginsWith() {
        assertThat(alternatives("book", new Book("3-16", "paper"))).containsExactly(List.of("3-16", "paper"));
    }

    record Book(
            @DistributionLockParam String isbn,
            @DistributionLockParam String getup) {}

    record Address(String city) {}

    record Order(@DistributionLockParam String id, int count) {}

    @SuppressWarnings("unused")
    static class Customer {

        private final Optional<Address> address;
        private final Map<String, String> attributes;
        private final String hidden = "secret";

        Customer(Optional<Address> address, Map<String, String> attributes) {
            this.address = address;
            this.attributes = attributes;
        }

        public Optional<Address> getAddress() {
            return address;
        }

        public Map<String, String> attributes() {
            return attributes;
        }
    }

    @SuppressWarnings("unused")
    @DistributionLock(key = "order")
    static class Orders {

        void unmarked(String id, int count) {}

        void ordered(@DistributionLockParam(order = 2) String id, @DistributionLockParam(order = 1) int count) {}

        void paths(
                @DistributionLockParam("address.city") Customer city,
                @DistributionLockParam("attributes.tier") Customer tier,
                @DistributionLockParam("hidden") Customer hidden) {}

        void badPath(@DistributionLockParam("address.street") Customer customer) {}

        void skipped(
                @DistributionLockParam(nullValue = DistributionLockParam.SKIP_NULL) String id,
                @DistributionLockParam(nullValue = "-") String region) {}

        void each(@DistributionLockParam(each = true) List<String> ids, @DistributionLockParam String region) {}

        void members(Order order) {}

        void book(Book book) {}
    }
}
