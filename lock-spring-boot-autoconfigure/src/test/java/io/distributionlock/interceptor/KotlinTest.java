package io.distributionlock.interceptor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributionlock.annotation.InvalidLockDefinitionException;
import io.distributionlock.annotation.LockProblem;
import io.distributionlock.testing.KotlinSource;
import io.distributionlock.testing.LockContextRunner;
import io.distributionlock.testing.ScriptedLockExecutor;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;

/** Classes of Kotlin, as its compiler makes them. */
@Tag("boot4")
class KotlinTest {

    private static final String SOURCE = """
        package k

        import io.distributionlock.annotation.*
        import kotlinx.coroutines.*
        import kotlinx.coroutines.flow.*

        data class Plain(@DistributionLockParam val id: String, val other: String = "x")
        data class Ordered(@DistributionLockParam(order = 2) val a: String, @DistributionLockParam(order = 1) val b: Int)
        data class OnGetter(@get:DistributionLockParam val id: String)
        data class OnField(@field:DistributionLockParam val id: String)
        data class OnParameter(@param:DistributionLockParam val id: String)
        data class Generic<T>(@DistributionLockParam val id: T)
        data class Outer(@DistributionLockParam val inner: Plain)
        data class ByPath(@DistributionLockParam("other") val inner: Plain)
        @JvmRecord data class AsRecord(@DistributionLockParam val id: String)
        @JvmInline value class OrderId(val text: String)
        data class OfValueClass(@DistributionLockParam val id: OrderId)
        @JvmInline value class Count(val value: Int)
        data class OfBoxedValueClass(@DistributionLockParam val count: Count?)
        data class OfValueClasses(@DistributionLockParam(each = true) val ids: List<OrderId>)
        data class Whole(val id: OrderId, val tags: Set<String>, val day: java.util.Date, val inner: Plain? = null) { val text = "x" }
        data class OfBytes(val id: OrderId, val bytes: ByteArray)
        open class Base(@DistributionLockParam val id: String)
        class Inherited(id: String, val other: Int) : Base(id)
        class Private(@DistributionLockParam private val id: String)
        class Overloaded @JvmOverloads constructor(@DistributionLockParam val id: String, val other: Int = 3)
        class InBody { @DistributionLockParam val id: String = "A1" }
        sealed interface Command { @get:DistributionLockParam val id: String }
        data class Concrete(override val id: String) : Command
        class Delegated(map: Map<String, String>) { @get:DistributionLockParam val id: String by map }
        class NotAProperty(@DistributionLockParam id: String) { val other = id.trim() }
        @JvmInline value class MarkedId(@DistributionLockParam val text: String)
        @JvmInline value class MarkedGetter(@get:DistributionLockParam val text: String)
        @JvmInline value class MarkedField(@field:DistributionLockParam val text: String)
        @JvmInline value class MarkedCount(@DistributionLockParam val value: Int)

        object Values {
            @JvmStatic fun of(name: String): Any = when (name) {
                "Plain" -> Plain("A1")
                "Ordered" -> Ordered("A1", 7)
                "OnGetter" -> OnGetter("A1")
                "OnField" -> OnField("A1")
                "OnParameter" -> OnParameter("A1")
                "Generic" -> Generic(7)
                "Outer" -> Outer(Plain("A1"))
                "ByPath" -> ByPath(Plain("A1", "B2"))
                "AsRecord" -> AsRecord("A1")
                "OfValueClass" -> OfValueClass(OrderId("A1"))
                "OfBoxedValueClass" -> OfBoxedValueClass(Count(7))
                "OfValueClasses" -> OfValueClasses(listOf(OrderId("A1")))
                "Whole" -> Whole(OrderId("A=1"), linkedSetOf("b", "a"), java.util.Date(0))
                "Equal" -> Whole(OrderId("A=1"), linkedSetOf("a", "b"), java.util.Date(0))
                "Nested" -> Whole(OrderId("null"), setOf(), java.util.Date(0), Plain("A1"))
                "OfBytes" -> OfBytes(OrderId("A1"), byteArrayOf(1))
                "Inherited" -> Inherited("A1", 7)
                "Private" -> Private("A1")
                "Overloaded" -> Overloaded("A1")
                "InBody" -> InBody()
                "Concrete" -> Concrete("A1")
                "Delegated" -> Delegated(mapOf("id" to "A1"))
                "NotAProperty" -> NotAProperty("A1")
                else -> throw IllegalArgumentException(name)
            }
        }

        open class AnyService {
            @DistributionLock(key = "any") open fun work(value: Any) {}
            @DistributionLock(key = "marked") open fun marked(@DistributionLockParam value: Any) {}
        }

        open class DeclaredService {
            @DistributionLock(key = "plain") open fun plain(value: Plain) {}
            @DistributionLock(key = "value") open fun ofValueClass(@DistributionLockParam id: OrderId) {}
            @DistributionLock(key = "default") open fun withDefault(@DistributionLockParam id: String = "D1") {}
            fun callAll() { plain(Plain("A1")); ofValueClass(OrderId("A1")); withDefault() }
        }

        class Caller(private val service: DeclaredService) {
            fun callAll() {
                service.plain(Plain("A1"))
                service.ofValueClass(OrderId("A1"))
                service.withDefault()
            }
        }

        open class NotAPropertyService { @DistributionLock(key = "k") open fun work(value: NotAProperty) {} }

        open class MarksInsideService {
            @DistributionLock(key = "k") open fun plain(id: MarkedId) {}
            @DistributionLock(key = "k") open fun nullable(id: MarkedId?) {}
            @DistributionLock(key = "k") open fun boxed(count: MarkedCount?) {}
            @DistributionLock(key = "k") open fun onGetter(id: MarkedGetter) {}
            @DistributionLock(key = "k") open suspend fun suspending(other: String, id: MarkedField) {}
            @DistributionLock(key = "k") @JvmName("renamed") fun renamed(id: MarkedId) {}
        }
        open class MarksOutsideService {
            @DistributionLock(key = "k") open fun plain(@DistributionLockParam id: MarkedId) {}
            @DistributionLock(key = "k") open fun boxed(@DistributionLockParam count: MarkedCount?) {}
            @DistributionLock(key = "k") open fun each(@DistributionLockParam(each = true) ids: List<MarkedId>) {}
        }
        class MarksOutsideCaller(private val service: MarksOutsideService) {
            fun callAll() {
                service.plain(MarkedId("A1"))
                service.boxed(MarkedCount(7))
                service.each(listOf(MarkedId("A2")))
            }
        }

        open class SuspendingService {
            @DistributionLock(key = "k") open suspend fun flow(): Flow<String> = flowOf("x")
            @DistributionLock(key = "k") open suspend fun deferred(id: String): Deferred<String> = CompletableDeferred(id)
        }

        open class SkippingService {
            @DistributionLock(key = "k", onBusy = OnBusy.SKIP) open fun never(): String = "x"
            @DistributionLock(key = "k", onBusy = OnBusy.SKIP) open fun maybe(): String? = "x"
            @DistributionLock(key = "k", onBusy = OnBusy.SKIP) open fun nothing() {}
            @DistributionLock(key = "k", onBusy = OnBusy.SKIP) open fun flow(): Flow<String> = flowOf("x")
            @DistributionLock(key = "k", onBusy = OnBusy.SKIP) open suspend fun neverSuspending(): String = "x"
            @DistributionLock(key = "k", onBusy = OnBusy.SKIP) open suspend fun maybeSuspending(): String? = "x"
            @DistributionLock(key = "k", onBusy = OnBusy.SKIP) open suspend fun nothingSuspending() {}
        }

        open class LaterService {
            @DistributionLock(key = "k") open fun sequence() = sequenceOf("x")
            @DistributionLock(key = "k") open fun function() = { "x" }
            @DistributionLock(key = "k") open fun suspending(): suspend () -> String = { "x" }
            @DistributionLock(key = "k") open fun lazily() = lazy { "x" }
            @DistributionLock(key = "k") open fun job() = Job()
            @DistributionLock(key = "k") open fun pair(): Pair<String, Deferred<String>> = Pair("x", CompletableDeferred("x"))
            @DistributionLock(key = "k") open fun hot() = MutableStateFlow("x")
        }

        class SealedService { @DistributionLock(key = "k") fun work() {} }
        object SingletonService { @DistributionLock(key = "k") fun work() {} }

        open class CompanionService {
            companion object { @JvmStatic @DistributionLock(key = "k") fun work() {} }
            @DistributionLock(key = "mine") open fun mine() {}
        }

        interface WithDefault { @DistributionLock(key = "default") fun work(@DistributionLockParam id: String) {} }
        open class UsesDefault : WithDefault

        """;

    @TempDir
    private static Path folder;

    @AutoClose
    private static URLClassLoader loader;

    private final ScriptedLockExecutor executor = new ScriptedLockExecutor();

    @BeforeAll
    static void compile() throws Exception {
        loader = KotlinSource.compile(SOURCE, folder);
    }

    private void with(String bean, Consumer<AssertableApplicationContext> test) {
        LockContextRunner.with(executor, type(bean)).withClassLoader(loader).run(test::accept);
    }

    private static Class<?> type(String name) {
        try {
            return loader.loadClass("k." + name);
        } catch (ClassNotFoundException e) {
            throw new AssertionError(e);
        }
    }

    private static Object value(String name) throws Exception {
        return type("Values").getMethod("of", String.class).invoke(null, name);
    }

    private List<LockProblem> problemsOf(String bean) {
        List<LockProblem>[] found = new List[1];
        with(bean, context -> {
            assertThat(context).hasFailed();
            assertThat(context.getStartupFailure()).isInstanceOf(InvalidLockDefinitionException.class);
            found[0] = ((InvalidLockDefinitionException) context.getStartupFailure()).problems();
        });
        return found[0];
    }

    // ------------------------------------------------------------------ where Kotlin puts a mark

    @ParameterizedTest
    @CsvSource({
        "Plain, :A1",
        "Ordered, :7:A1",
        "OnGetter, :A1",
        "OnField, :A1",
        "OnParameter, :A1",
        "Generic, :7",
        "Outer, :A1",
        "ByPath, :B2",
        "AsRecord, :A1",
        "OfValueClass, :A1",
        "OfBoxedValueClass, :7",
        "OfValueClasses, :A1",
        "Inherited, :A1",
        "Private, :A1",
        "Overloaded, :A1",
        "InBody, :A1",
        "Concrete, :A1",
        "Delegated, :A1"
    })
    void aMarkIsReadWhereverKotlinPutsIt(String name, String expected) {
        with("AnyService", context -> {
            try {
                Object service = context.getBean(type("AnyService"));
                type("AnyService").getMethod("work", Object.class).invoke(service, value(name));
                type("AnyService").getMethod("marked", Object.class).invoke(service, value(name));
            } catch (Exception e) {
                throw new AssertionError(e);
            }
            assertThat(executor.names()).containsExactly("any" + expected, "marked" + expected);
        });
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
        Whole|Whole(id=A\\=1, tags=(a, b), day=1970-01-01T00%3A00%3A00Z, inner=null)
        Equal|Whole(id=A\\=1, tags=(a, b), day=1970-01-01T00%3A00%3A00Z, inner=null)
        Nested|Whole(id=\\null, tags=(), day=1970-01-01T00%3A00%3A00Z, inner=Plain(id=A1, other=x))
        """)
    void aDataClassCountsByItsComponents(String name, String expected) {
        with("AnyService", context -> {
            try {
                Object service = context.getBean(type("AnyService"));
                type("AnyService").getMethod("marked", Object.class).invoke(service, value(name));
                assertThatThrownBy(() -> type("AnyService")
                                .getMethod("marked", Object.class)
                                .invoke(service, value("OfBytes")))
                        .cause()
                        .hasMessageContaining("whose 'bytes' is a byte[]");
            } catch (Exception e) {
                throw new AssertionError(e);
            }
            assertThat(executor.names()).containsExactly("marked:" + expected);
        });
    }

    @Test
    void declaredParametersAreReadAlike() {
        with("DeclaredService", context -> {
            assertThat(context).hasNotFailed();
            try {
                Object service = context.getBean(type("DeclaredService"));
                Object caller =
                        type("Caller").getConstructor(type("DeclaredService")).newInstance(service);
                type("Caller").getMethod("callAll").invoke(caller);
            } catch (Exception e) {
                throw new AssertionError(e);
            }
            assertThat(executor.names()).containsExactly("plain:A1", "value:A1", "default:D1");
        });
    }

    @Test
    void aMarkInsideOfAValueClassIsRefusedWhereJavaDoesNotSeeIt() {
        assertThat(problemsOf("MarksInsideService"))
                .filteredOn(problem -> problem.description().contains("of the value class k.Marked"))
                .hasSize(6)
                .allSatisfy(problem ->
                        assertThat(problem.action()).startsWith("Put @DistributionLockParam on the parameter"));
        with("MarksOutsideService", context -> {
            assertThat(context).hasNotFailed();
            try {
                Object service = context.getBean(type("MarksOutsideService"));
                Object caller = type("MarksOutsideCaller")
                        .getConstructor(type("MarksOutsideService"))
                        .newInstance(service);
                type("MarksOutsideCaller").getMethod("callAll").invoke(caller);
            } catch (Exception e) {
                throw new AssertionError(e);
            }
            assertThat(executor.names()).containsExactly("k:A1", "k:7", "k:A2");
        });
    }

    @Test
    void aMarkOnWhatIsNoPropertyIsRefused() {
        assertThat(problemsOf("NotAPropertyService")).singleElement().satisfies(problem -> {
            assertThat(problem.description()).contains("'id'", "cannot be read");
            assertThat(problem.action()).contains("accessor");
        });
        with(
                "AnyService",
                context -> assertThatThrownBy(() -> type("AnyService")
                                .getMethod("work", Object.class)
                                .invoke(context.getBean(type("AnyService")), value("NotAProperty")))
                        .cause()
                        .hasMessageContaining("'id'")
                        .hasMessageContaining("cannot be read"));
    }

    // ------------------------------------------------------------------ functions

    @Test
    void aSuspendingFunctionThatReturnsWorkIsRefused() {
        assertThat(problemsOf("SuspendingService"))
                .hasSize(2)
                .anySatisfy(problem -> {
                    assertThat(problem.description()).contains("SuspendingService.flow()", "Flow");
                    assertThat(problem.action()).contains("without 'suspend'");
                })
                .anySatisfy(
                        problem -> assertThat(problem.description()).contains("SuspendingService.deferred(String)"));
    }

    @Test
    void whatIsNeverNullCannotBeSkipped() {
        assertThat(problemsOf("SkippingService")).hasSize(2).allSatisfy(problem -> {
            assertThat(problem.description()).contains("SkippingService.never", "onBusy = SKIP");
            assertThat(problem.action()).contains("nullable type");
        });
    }

    @Test
    void unfinishedResultsOfKotlinAreRefused() {
        assertThat(problemsOf("LaterService"))
                .hasSize(7)
                .allSatisfy(
                        problem -> assertThat(problem.description()).contains("cannot know when the work has ended"));
    }

    @ParameterizedTest
    @CsvSource({"SealedService, final", "SingletonService, final", "CompanionService, static"})
    void whatNoProxyReachesIsRefused(String bean, String reason) {
        assertThat(problemsOf(bean))
                .isNotEmpty()
                .allSatisfy(problem -> assertThat(problem.description()).contains(reason));
        if (reason.equals("final")) {
            assertThat(problemsOf(bean))
                    .allSatisfy(problem -> assertThat(problem.action()).contains("kotlin-spring", "'open'"));
        }
    }

    @Test
    void aDefaultMethodOfAnInterfaceIsLocked() {
        with("UsesDefault", context -> {
            assertThat(context).hasNotFailed();
            try {
                type("WithDefault").getMethod("work", String.class).invoke(context.getBean(type("UsesDefault")), "A1");
            } catch (Exception e) {
                throw new AssertionError(e);
            }
            assertThat(executor.names()).containsExactly("default:A1");
        });
    }
}
