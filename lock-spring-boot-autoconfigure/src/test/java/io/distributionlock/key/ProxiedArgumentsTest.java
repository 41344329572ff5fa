package io.distributionlock.key;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.spy;
import static org.mockito.Mockito.when;

import io.distributionlock.LockContext;
import io.distributionlock.annotation.DistributionLock;
import io.distributionlock.annotation.DistributionLockParam;
import io.distributionlock.testing.LockContextRunner;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import net.bytebuddy.ByteBuddy;
import net.bytebuddy.description.modifier.Visibility;
import net.bytebuddy.dynamic.DynamicType;
import net.bytebuddy.implementation.FixedValue;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.aop.target.AbstractLazyCreationTargetSource;
import org.springframework.beans.factory.annotation.Lookup;
import org.springframework.cglib.proxy.Enhancer;
import org.springframework.cglib.proxy.LazyLoader;

/** An argument that stands for another object, such as a lazy reference of Hibernate, makes the name of what it stands for. */
@Tag("boot4")
class ProxiedArgumentsTest {

    private static void with(Use use) {
        LockContextRunner.local(Service.class).run(context -> use.on(context.getBean(Service.class)));
    }

    @FunctionalInterface
    private interface Use {
        void on(Service service) throws Exception;
    }

    /** Ways to read the field. */
    private static List<Function<Item, String>> fieldsBy(Service service) {
        return List.of(
                service::member,
                service::path,
                item -> service.pathInMap(Map.of("item", item)),
                item -> service.each(List.of(item)),
                service::byExpression,
                item -> service.byProjection(List.of(item)));
    }

    private static List<Function<Item, String>> textsBy(Service service) {
        return List.of(
                item -> service.whole(List.of(item)),
                item -> service.inside(new Holder(item)),
                item -> service.inside(new Holder(List.of(item))));
    }

    @Test
    void aProxyMakesTheNameOfItsTarget() {
        with(service -> {
            Item item = new Item(42);
            List<Item> proxies = List.of(
                    item,
                    lazyReference(() -> item),
                    lazyReference(() -> springProxy(item)),
                    springProxy(item),
                    lazySpringProxy(item),
                    springProxy(springProxy(item)),
                    spy(item));
            for (Item proxy : proxies) {
                for (Function<Item, String> name : fieldsBy(service)) {
                    assertThat(name.apply(proxy)).as(proxy.getClass().getName()).matches("o(:42)+");
                }
                assertThat(textsBy(service).stream().map(name -> name.apply(proxy)))
                        .as(proxy.getClass().getName())
                        .containsExactly("o:no. 42", "o:Holder[item=no. 42]", "o:Holder[item=[no. 42]]");
            }
        });
    }

    @Test
    void anEntityThatLoadsItsFieldsItselfIsAskedForThem() {
        Item enhanced = enhanced(Item.class, 42);
        with(service -> {
            for (Function<Item, String> name : fieldsBy(service)) {
                assertThat(name.apply(enhanced)).matches("o(:42)+");
            }
        });
    }

    /** It has its own fields, so it prints as any object does; what only stands for another is not loaded to find out. */
    @Test
    void anEntityThatLoadsItsFieldsItselfHasToPrintInsideOfAnObjectThatDoes() {
        with(service -> {
            Envelope of = new Envelope();
            of.content = enhanced(Mute.class, 42);
            assertThatThrownBy(() -> service.whole(List.of(of)))
                    .isInstanceOf(LockKeyException.class)
                    .hasMessageContaining("content")
                    .hasMessageContaining("toString()");
            of.content = enhanced(Item.class, 42);
            assertThat(service.whole(List.of(of))).isEqualTo("o:an envelope");
            of.content = lazyReference(() -> {
                throw new IllegalStateException("loaded");
            });
            assertThat(service.whole(List.of(of))).isEqualTo("o:an envelope");
        });
    }

    @Test
    void aFieldOfAnObjectWithoutAKnownTargetIsRefused() {
        with(service -> {
            for (Item proxy : List.of(unknownProxy(new Item(42)))) {
                for (List<Function<Item, String>> names : List.of(fieldsBy(service), textsBy(service))) {
                    for (Function<Item, String> name : names) {
                        assertThatThrownBy(() -> name.apply(proxy))
                                .isInstanceOf(LockKeyException.class)
                                .hasMessageContaining(proxy.getClass().getName())
                                .message()
                                .endsWith(" Give it a getter, and read that.")
                                .doesNotContain("EL10");
                    }
                }
            }
        });
    }

    /** The identifier of a lazy reference is known without loading the rest. */
    @Test
    void aGetterIsCalledOnTheProxyItself() {
        with(service -> {
            WithGetter mocked = mock(WithGetter.class);
            when(mocked.getId()).thenReturn(42L);
            assertThat(service.getter(mocked)).isEqualTo("o:42");
            assertThat(service.getterByExpression(mocked)).isEqualTo("o:42:42");
        });
    }

    @Test
    void whatCannotBeLoadedIsAnErrorOfTheKey() {
        Item detached = lazyReference(() -> {
            throw new IllegalStateException("no session");
        });
        with(service -> {
            for (List<Function<Item, String>> names : List.of(fieldsBy(service), textsBy(service))) {
                for (Function<Item, String> name : names) {
                    assertThatThrownBy(() -> name.apply(detached))
                            .isInstanceOf(LockKeyException.class)
                            .hasMessageContaining("no session");
                }
            }
        });
    }

    /** Such a class replaces methods of its objects, but these have their own fields. */
    @Test
    void aBeanWhoseMethodsSpringReplacesIsNoProxy() {
        LockContextRunner.local(Service.class, LookingUp.class).run(context -> {
            LookingUp item = context.getBean(LookingUp.class);
            assertThat(item.getClass().getName()).contains("$$SpringCGLIB$$");
            item.id = 42;
            Service service = context.getBean(Service.class);
            for (Function<Item, String> name : fieldsBy(service)) {
                assertThat(name.apply(item)).matches("o(:42)+");
            }
        });
    }

    // ------------------------------------------------------------------ proxies

    private static Item springProxy(Item target) {
        ProxyFactory factory = new ProxyFactory(target);
        factory.setProxyTargetClass(true);
        return (Item) factory.getProxy();
    }

    private static Item lazySpringProxy(Item target) {
        ProxyFactory factory = new ProxyFactory();
        factory.setProxyTargetClass(true);
        factory.setTargetSource(new AbstractLazyCreationTargetSource() {
            @Override
            public Class<?> getTargetClass() {
                return Item.class;
            }

            @Override
            protected Object createObject() {
                return target;
            }
        });
        return (Item) factory.getProxy();
    }

    private static Item unknownProxy(Item target) {
        return (Item) Enhancer.create(Item.class, (LazyLoader) () -> target);
    }

    /** As Hibernate makes it: a subclass of the entity, with empty fields, that implements its interface. */
    private static Item lazyReference(Supplier<Item> target) {
        Class<?> initializer = loaded(
                new ByteBuddy()
                        .makeInterface()
                        .name("org.hibernate.proxy.LazyInitializer")
                        .defineMethod("getImplementation", Object.class, Visibility.PUBLIC)
                        .withoutCode(),
                ProxiedArgumentsTest.class.getClassLoader());
        Class<?> marker = loaded(
                new ByteBuddy()
                        .makeInterface()
                        .name("org.hibernate.proxy.HibernateProxy")
                        .defineMethod("getHibernateLazyInitializer", initializer, Visibility.PUBLIC)
                        .withoutCode(),
                initializer.getClassLoader());
        Object lazy = Proxy.newProxyInstance(
                initializer.getClassLoader(),
                new Class<?>[] {initializer},
                (proxy, method, arguments) -> method.getName().equals("getImplementation") ? target.get() : 7);
        return created(
                new ByteBuddy()
                        .subclass(Item.class)
                        .name(Item.class.getName() + "$HibernateProxy$x")
                        .implement(marker)
                        .intercept(FixedValue.value(lazy)),
                marker.getClassLoader());
    }

    /** As Hibernate's build plugin changes an entity. */
    private static <T> T enhanced(Class<T> entity, long id) {
        Class<?> marker = loaded(
                new ByteBuddy().makeInterface().name("org.hibernate.engine.spi.PersistentAttributeInterceptable"),
                ProxiedArgumentsTest.class.getClassLoader());
        return created(
                new ByteBuddy()
                        .subclass(entity)
                        .implement(marker)
                        .defineMethod("$$_hibernate_read_id", long.class, Visibility.PUBLIC)
                        .intercept(FixedValue.value(id)),
                marker.getClassLoader());
    }

    private static Class<?> loaded(DynamicType.Builder<?> builder, ClassLoader parent) {
        return builder.make().load(parent).getLoaded();
    }

    @SuppressWarnings("unchecked") // a subclass
    private static <T> T created(DynamicType.Builder<T> builder, ClassLoader parent) {
        try {
            return (T) loaded(builder, parent).getConstructor().newInstance();
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    // ------------------------------------------------------------------ what is locked

    public static class Item {

        @DistributionLockParam
        public long id;

        public Item() {}

        Item(long id) {
            this.id = id;
        }

        @Override
        public String toString() {
            return "no. " + id;
        }
    }

    /** Without a text of its own. */
    public static class Mute {

        public long id;
    }

    public static class Envelope {

        public Object content;

        @Override
        public String toString() {
            return "an envelope";
        }
    }

    public static class WithGetter {

        @DistributionLockParam
        private final long id = 7;

        public long getId() {
            return id;
        }
    }

    abstract static class LookingUp extends Item {

        @Lookup
        abstract Service service();
    }

    record Holder(Object item) {}

    static class Service {

        @DistributionLock(key = "o")
        public String member(Item item) {
            return name();
        }

        @DistributionLock(key = "o")
        public String path(@DistributionLockParam("id") Object item) {
            return name();
        }

        @DistributionLock(key = "o")
        public String pathInMap(@DistributionLockParam("item.id") Map<String, Item> items) {
            return name();
        }

        @DistributionLock(key = "o")
        public String each(@DistributionLockParam(each = true) List<Item> items) {
            return name();
        }

        @DistributionLock(key = "o:#{#p0.id}")
        public String byExpression(Item item) {
            return name();
        }

        @DistributionLock(key = "o:#{#p0.![id][0]}")
        public String byProjection(List<Item> items) {
            return name();
        }

        @DistributionLock(key = "o:#{#p0[0]}")
        public String whole(List<?> item) {
            return name();
        }

        @DistributionLock(key = "o")
        public String inside(@DistributionLockParam Holder holder) {
            return name();
        }

        @DistributionLock(key = "o")
        public String getter(WithGetter item) {
            return name();
        }

        @DistributionLock(key = "o:#{#p0.id}")
        public String getterByExpression(WithGetter item) {
            return name();
        }
    }

    private static String name() {
        return LockContext.leases().get(0).name();
    }
}
