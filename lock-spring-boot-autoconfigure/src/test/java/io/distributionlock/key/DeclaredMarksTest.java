package io.distributionlock.key;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributionlock.LockContext;
import io.distributionlock.annotation.DistributionLock;
import io.distributionlock.annotation.DistributionLockParam;
import io.distributionlock.testing.LockContextRunner;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Marked members make the name as the declared type has them, whatever subclass is passed: otherwise two calls could miss each other. */
@Tag("boot4")
class DeclaredMarksTest {

    private static final Order PLAIN = new Order("1");
    private static final GoldOrder GOLD = new GoldOrder("1");
    private static final ProxiedOrder PROXIED = new ProxiedOrder("1");

    private static void withService(Check<Service> test) {
        LockContextRunner.local(Service.class).run(context -> test.accept(context.getBean(Service.class)));
    }

    @FunctionalInterface
    private interface Check<T> {
        void accept(T bean) throws Exception;
    }

    private static void assertRefused(ThrowingCallable call, Class<?> declared) {
        assertThatThrownBy(call)
                .isInstanceOf(LockKeyException.class)
                .hasMessageContaining("is a " + GoldOrder.class.getName() + ", which marks 'level'")
                .hasMessageContaining("declared as " + declared.getName() + ", which does not");
    }

    @Test
    void aSubclassThatMarksMoreIsRefused() {
        withService(service -> {
            assertThat(service.unmarked(PLAIN)).isEqualTo("order:1");
            assertRefused(() -> service.unmarked(GOLD), Order.class);
            assertThat(service.marked(PLAIN)).isEqualTo("order:1");
            assertRefused(() -> service.marked(GOLD), Order.class);
            assertThat(service.gold(GOLD)).isEqualTo("order:1:gold");
        });
    }

    @Test
    void aSubclassWithoutMarksOfItsOwnIsAsItsParent() {
        withService(service -> {
            assertThat(service.unmarked(PROXIED)).isEqualTo("order:1");
            assertThat(service.each(List.of(PROXIED))).isEqualTo("order:1");
        });
    }

    @Test
    void anInterfaceDeclaresWhatItMarks() {
        withService(service -> {
            assertThat(service.identified(new Invoice("7"))).isEqualTo("order:7");
            assertThatThrownBy(() -> service.plain(PLAIN))
                    .isInstanceOf(LockKeyException.class)
                    .hasMessageContaining("declared as " + Plain.class.getName() + ", which does not");
        });
    }

    @Test
    void elementsOptionalsMapsAndMembersAreDeclaredByTheirGenerics() {
        withService(service -> {
            assertThat(service.each(List.of(PLAIN))).isEqualTo("order:1");
            assertRefused(() -> service.each(List.of(GOLD)), Order.class);
            assertThat(service.array(PLAIN)).isEqualTo("order:1");
            assertRefused(() -> service.array(GOLD), Order.class);
            assertThat(service.optional(Optional.of(PLAIN))).isEqualTo("order:1");
            assertRefused(() -> service.optional(Optional.of(GOLD)), Order.class);
            assertThat(service.map(Map.of("a", PLAIN))).isEqualTo("order:1");
            assertRefused(() -> service.map(Map.of("a", GOLD)), Order.class);
            assertThat(service.holder(new Holder<>(PLAIN))).isEqualTo("order:1");
            assertRefused(() -> service.holder(new Holder<>(GOLD)), Order.class);
        });
    }

    @Test
    void aTypeVariableIsDeclaredByTheBean() {
        LockContextRunner.local(OrderHandler.class).run(context -> {
            OrderHandler handler = context.getBean(OrderHandler.class);
            assertThat(handler.handle(PLAIN)).isEqualTo("order:1");
            assertRefused(() -> handler.handle(GOLD), Order.class);
        });
    }

    @Test
    void objectDeclaresNothingSoTheClassOfTheValueDecides() {
        withService(service -> {
            assertThat(service.object("1")).isEqualTo("order:1");
            assertThat(service.object(PLAIN)).isEqualTo("order:1");
            assertThat(service.object(GOLD)).isEqualTo("order:1:gold");
        });
    }

    interface Plain {}

    interface Identified {

        @DistributionLockParam
        String id();
    }

    record Invoice(String id) implements Identified {}

    static class Order implements Plain {

        @DistributionLockParam
        private final String id;

        Order(String id) {
            this.id = id;
        }

        public String getId() {
            return id;
        }
    }

    static class GoldOrder extends Order {

        @DistributionLockParam(order = 1)
        private final String level = "gold";

        GoldOrder(String id) {
            super(id);
        }
    }

    /** As an ORM generates them. */
    static class ProxiedOrder extends Order {

        ProxiedOrder(String id) {
            super(id);
        }

        @Override
        public String getId() {
            return super.getId();
        }
    }

    record Holder<T>(@DistributionLockParam T content) {}

    static class Service {

        @DistributionLock(key = "order")
        public String unmarked(Order order) {
            return name();
        }

        @DistributionLock(key = "order")
        public String marked(@DistributionLockParam Order order) {
            return name();
        }

        @DistributionLock(key = "order")
        public String gold(GoldOrder order) {
            return name();
        }

        @DistributionLock(key = "order")
        public String plain(Plain order) {
            return name();
        }

        @DistributionLock(key = "order")
        public String identified(Identified order) {
            return name();
        }

        @DistributionLock(key = "order")
        public String each(@DistributionLockParam(each = true) List<? extends Order> orders) {
            return name();
        }

        @DistributionLock(key = "order")
        public String array(@DistributionLockParam(each = true) Order... orders) {
            return name();
        }

        @DistributionLock(key = "order")
        public String optional(@DistributionLockParam Optional<Order> order) {
            return name();
        }

        @DistributionLock(key = "order")
        public String map(@DistributionLockParam(path = "a") Map<String, Order> orders) {
            return name();
        }

        @DistributionLock(key = "order")
        public String holder(Holder<Order> holder) {
            return name();
        }

        @DistributionLock(key = "order")
        public String object(@DistributionLockParam Object order) {
            return name();
        }
    }

    abstract static class Handler<T> {

        @DistributionLock(key = "order")
        public String handle(T item) {
            return name();
        }
    }

    static class OrderHandler extends Handler<Order> {}

    private static String name() {
        return LockContext.leases().get(0).name();
    }
}
