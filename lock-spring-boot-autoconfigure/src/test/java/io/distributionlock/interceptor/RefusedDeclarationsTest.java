package io.distributionlock.interceptor;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributionlock.LockKind;
import io.distributionlock.annotation.DistributionLock;
import io.distributionlock.annotation.DistributionLockParam;
import io.distributionlock.annotation.FencingToken;
import io.distributionlock.annotation.InvalidLockDefinitionException;
import io.distributionlock.annotation.LockProblem;
import io.distributionlock.annotation.OnBackendFailure;
import io.distributionlock.annotation.OnBusy;
import io.distributionlock.annotation.OnInterrupted;
import io.distributionlock.annotation.RefuseRepeats;
import io.distributionlock.annotation.ScheduledLock;
import io.distributionlock.testing.LockContextRunner;
import io.distributionlock.testing.ScriptedLockExecutor;
import java.io.IOException;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.reflect.Method;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Declarations that stop the start, each with what is said of it and the way out. */
@Tag("boot4")
class RefusedDeclarationsTest {

    /** What stands in the complaint and its action. */
    @Retention(RetentionPolicy.RUNTIME)
    @interface Refused {
        String[] value();
    }

    private static final ScriptedLockExecutor ALL_KINDS = new ScriptedLockExecutor() {
        @Override
        public Set<LockKind> kinds() {
            return EnumSet.allOf(LockKind.class);
        }
    };

    @ParameterizedTest
    @ValueSource(
            classes = {
                Keys.class,
                Parameters.class,
                Marks.class,
                Texts.class,
                FinalClass.class,
                Reached.class,
                Settings.class,
                Conditions.class,
                Fallbacks.class,
                Skips.class
            })
    void eachIsReportedWithItsCure(Class<?> bean) {
        Map<String, String[]> expected = Stream.of(bean.getDeclaredMethods())
                .filter(method -> method.isAnnotationPresent(Refused.class))
                .collect(Collectors.toMap(
                        Method::getName,
                        method -> method.getAnnotation(Refused.class).value()));
        LockContextRunner.with(ALL_KINDS, bean)
                .withPropertyValues("at.once=0.5", "within=-5s")
                .run(context -> {
                    assertThat(context).getFailure().isInstanceOf(InvalidLockDefinitionException.class);
                    Map<String, String> told = told((InvalidLockDefinitionException) context.getStartupFailure(), bean);
                    assertThat(told).containsOnlyKeys(expected.keySet());
                    told.forEach((method, text) -> assertThat(text).as(method).contains(expected.get(method)));
                });
    }

    /** By the names of the methods. */
    private static Map<String, String> told(InvalidLockDefinitionException failure, Class<?> bean) {
        Pattern named = Pattern.compile(Pattern.quote(bean.getName()) + "\\.(\\w+)\\(");
        Map<String, String> told = new TreeMap<>();
        for (LockProblem problem : failure.problems()) {
            List<MatchResult> methods =
                    named.matcher(problem.description()).results().toList();
            assertThat(methods).as(problem.description()).isNotEmpty();
            told.merge(methods.get(0).group(1), problem.description() + " " + problem.action(), String::concat);
        }
        return told;
    }

    static class Keys {

        @Refused({"blank key", "Set 'key'"})
        @DistributionLock(key = " ")
        public void blank() {}

        @Refused({"empty delimiter", "Set 'delimiter'"})
        @DistributionLock(key = "k", delimiter = "")
        public void emptyDelimiter() {}

        /** As it could stand in a part of the name, in an escape. */
        @Refused({"the delimiter 'x' begins with a letter", "Set 'delimiter'"})
        @DistributionLock(key = "k", delimiter = "x")
        public void letterAsDelimiter(@DistributionLockParam String id) {}

        @Refused({"does not parse", "'key'"})
        @DistributionLock(key = "k:#{#id +}")
        public void unparsable(String id) {}

        @Refused({"#idd", "not a parameter", "id"})
        @DistributionLock(key = "k:#{#idd}")
        public void unknownParameter(String id) {}

        @Refused({"the key 'k:#id' has a # outside of #{…}", "in #{…}"})
        @DistributionLock(key = "k:#id")
        public void withoutBraces(String id) {}

        @Refused({"${no.such.thing}", "placeholder"})
        @DistributionLock(key = "k:${no.such.thing}")
        public void unknownPlaceholder() {}
    }

    static class Parameters {

        @Refused({"'customer.nmae'", "no step 'nmae'", "'path'"})
        @DistributionLock(key = "k")
        public void wrongPath(@DistributionLockParam("customer.nmae") Ordered order) {}

        @Refused({"'codes'", "Set 'each = true'"})
        @DistributionLock(key = "k")
        public void manyWithoutEach(@DistributionLockParam List<String> codes) {}

        @Refused({"'code'", "'each = true'"})
        @DistributionLock(key = "k")
        public void eachOfOne(@DistributionLockParam(each = true) String code) {}

        @Refused("'allowEmpty = true' without 'each = true'")
        @DistributionLock(key = "k")
        public void emptyOfOne(@DistributionLockParam(allowEmpty = true) String code) {}

        @Refused({"no @DistributionLock", "Put @DistributionLock"})
        public void withoutLock(@DistributionLockParam String orderCode) {}

        @Refused({"@FencingToken", "no @DistributionLock"})
        public long tokenWithoutLock(@FencingToken long token) {
            return token;
        }

        @Refused({"@FencingToken", "'token'"})
        @DistributionLock(key = "k")
        public void tokenAsText(@FencingToken String token) {}

        @Refused("Put @DistributionLockParam on the parameters")
        @DistributionLock(key = "k")
        @DistributionLockParam
        public String markOnMethod(String id) {
            return id;
        }

        record Ordered(Customer customer) {}

        record Customer(String name) {}
    }

    /** Marks on what is no property of a parameter. */
    static class Marks {

        @Refused({"'code'", "cannot be read"})
        @DistributionLock(key = "k")
        public void onAConstructor(NoProperty value) {}

        @Refused({"'CODE'", "cannot be read"})
        @DistributionLock(key = "k")
        public void onAConstant(StaticMark value) {}

        @Refused({"'combined(…)'", "cannot be read"})
        @DistributionLock(key = "k")
        public void onAMethodWithAParameter(OddMethod value) {}

        @Refused({"'getCode()'", "cannot be read"})
        @DistributionLock(key = "k")
        public void onAHiddenGetter(HiddenGetter value) {}

        @Refused({"'setCode(…)'", "cannot be read"})
        @DistributionLock(key = "k")
        public void onASetter(Setter value) {}

        @Refused({"'setCode(…)'", "cannot be read"})
        @DistributionLock(key = "k")
        public void onTheParameterOfASetter(SetterParameter value) {}

        static class NoProperty {
            NoProperty(@DistributionLockParam String code) {
                assertThat(code).isNotNull();
            }
        }

        static class StaticMark {
            @DistributionLockParam
            static final String CODE = "x";
        }

        static class OddMethod {
            @DistributionLockParam
            public String combined(String with) {
                return with;
            }
        }

        static class HiddenGetter {
            @DistributionLockParam
            String getCode() {
                return " x".trim();
            }
        }

        static class Setter {
            @DistributionLockParam
            public void setCode(String code) {}
        }

        static class SetterParameter {
            public void setCode(@DistributionLockParam String code) {}
        }
    }

    /** Values whose text would differ between processes, or for equal values. */
    static class Texts {

        @Refused({"'picture' is a byte[]", "such as 'id' (path = \"id\"", "parameter 'item'"})
        @DistributionLock(key = "k")
        public void array(@DistributionLockParam Item item) {}

        @Refused({"an element of parameter 'items'", "'picture' is a byte[]"})
        @DistributionLock(key = "k")
        public void element(@DistributionLockParam(each = true) List<? extends Item> items) {}

        @Refused({"'item' of parameter 'holder'", "'picture' is a byte[]"})
        @DistributionLock(key = "k")
        public void member(Holder<Item> holder) {}

        @Refused({"'content' of parameter 'holder'", "'picture' is a byte[]"})
        @DistributionLock(key = "k")
        public void path(@DistributionLockParam("content") Holder<Item> holder) {}

        @Refused("'items[].value.picture' is a byte[]")
        @DistributionLock(key = "k")
        public void deep(@DistributionLockParam Deep deep) {}

        @Refused("'value.picture' is a byte[]")
        @DistributionLock(key = "k")
        public void entry(@DistributionLockParam Map.Entry<String, Item> entry) {}

        @Refused("holds many values")
        @DistributionLock(key = "k")
        public void optional(@DistributionLockParam java.util.Optional<List<String>> codes) {}

        @Refused("holds many values")
        @DistributionLock(key = "k")
        public void manyOfMany(@DistributionLockParam(each = true) List<List<String>> codes) {}

        @Refused({"parameter 'mono' (Mono)", "not there yet when the method is called", "Mark a parameter"})
        @DistributionLock(key = "k")
        public void mono(@DistributionLockParam reactor.core.publisher.Mono<String> mono) {}

        @Refused("parameter 'flux' (Flux) is a reactor.core.publisher.Flux, whose value is not there yet")
        @DistributionLock(key = "k")
        public void flux(@DistributionLockParam reactor.core.publisher.Flux<String> flux) {}

        @Refused("org.reactivestreams.Publisher, whose value is not there yet")
        @DistributionLock(key = "k")
        public void publisher(@DistributionLockParam org.reactivestreams.Publisher<String> publisher) {}

        @Refused("java.util.concurrent.CompletionStage, whose value is not there yet")
        @DistributionLock(key = "k")
        public void stage(@DistributionLockParam java.util.concurrent.CompletionStage<String> stage) {}

        @Refused("java.util.concurrent.CompletableFuture, whose value is not there yet")
        @DistributionLock(key = "k")
        public void future(@DistributionLockParam java.util.concurrent.CompletableFuture<String> future) {}

        @Refused("java.util.concurrent.Future, whose value is not there yet")
        @DistributionLock(key = "k")
        public void inside(@DistributionLockParam java.util.Optional<java.util.concurrent.Future<String>> future) {}

        @Refused("java.net.URL")
        @DistributionLock(key = "k")
        public void address(@DistributionLockParam java.net.URL address) {}

        @Refused({"java.util.TimeZone", "such as its text"})
        @DistributionLock(key = "k")
        public void zone(@DistributionLockParam java.util.TimeZone zone) {}

        @Refused({"no toString() of its own", "'id'"})
        @DistributionLock(key = "k")
        public void withoutText(@DistributionLockParam WithoutText value) {}

        @Refused({"'codes' is a java.util.Set", "another order", "'id'"})
        @DistributionLock(key = "k")
        public void printsASet(@DistributionLockParam PrintsASet value) {}

        @Refused({"'when[]' is a java.util.Date", "time zone"})
        @DistributionLock(key = "k")
        public void printsADate(@DistributionLockParam PrintsADate value) {}

        @Refused({"'deep.items' is a java.util.Set", "another order"})
        @DistributionLock(key = "k")
        public void printsARecord(@DistributionLockParam PrintsARecord value) {}

        @DistributionLock(key = "k")
        public void usable(
                @DistributionLockParam Usable usable,
                @DistributionLockParam PrintsValues values,
                @DistributionLockParam(each = true) List<Map.Entry<String, Usable>> many,
                @DistributionLockParam Object anything,
                @DistributionLockParam java.io.Serializable open) {}

        record Item(byte[] picture, String id) {}

        record Holder<T>(@DistributionLockParam T item, T content) {}

        record Deep(List<Map<String, Item>> items) {}

        record Usable(Set<String> codes, Map<String, java.util.Date> dates, java.util.Optional<Usable> next) {
            enum Kind {
                SMALL
            }
        }

        static class WithoutText {
            public String getId() {
                return "x";
            }
        }

        static class PrintsASet {
            private final Set<String> codes = Set.of("a");
            private final String id = "x";

            @Override
            public String toString() {
                return id + codes;
            }
        }

        static class PrintsADate {
            private final List<java.util.Date> when = List.of();

            @Override
            public String toString() {
                return "at " + when;
            }
        }

        record Tags(Set<String> items) {}

        static class PrintsARecord {
            private final Tags deep = new Tags(Set.of("a", "b"));

            @Override
            public String toString() {
                return "of " + deep;
            }
        }

        static class PrintsValues {
            private final List<java.time.LocalDate> when = List.of();
            private final Usable.Kind kind = Usable.Kind.SMALL;
            private final transient Set<String> cache = Set.of();

            @Override
            public String toString() {
                return kind + " at " + when + cache.size();
            }
        }
    }

    static final class FinalClass {

        @Refused({"is final", "Remove 'final' from the class"})
        @DistributionLock(key = "k")
        public void work() {}
    }

    static class Reached {

        @Refused({"private", "Make the method public"})
        @DistributionLock(key = "k")
        private void ofTheClass() {}

        @Refused({"final", "Remove 'final' from"})
        @DistributionLock(key = "k")
        public final void last() {}

        @Refused({"static", "instance method"})
        @DistributionLock(key = "k")
        public static void ofNoBean() {}
    }

    static class Settings {

        @Refused({"its kind is READ, which many hold at once", "Use an exclusive kind"})
        @DistributionLock(key = "k", kind = LockKind.READ, refuseRepeats = true, minHoldTime = 5)
        public void repeatsOfReaders() {}

        @Refused("tryLockTime is -5 ms: a waiting time is zero")
        @DistributionLock(key = "order", tryLockTime = -5)
        public void negative() {}

        @Refused("tryLockTime is -5000 ms: a waiting time is zero")
        @DistributionLock(key = "order", tryLockTimeString = "-5s")
        public void negativeText() {}

        @Refused({"holdLockTime is 0 ms: a lock is held for at least 1 ms.", "Leave it out"})
        @DistributionLock(key = "order", holdLockTime = 0)
        public void noLease() {}

        @Refused({
            "holdLockTime is 15 ms: the lock of a method is held for",
            "Set holdLockTimeString to a time with its unit, such as 15s,"
        })
        @DistributionLock(key = "order", holdLockTime = 15)
        public void withoutUnit() {}

        @Refused("holdLockTime is PT9600H: a lock is held for at most 365")
        @DistributionLock(key = "order", holdLockTimeString = "400d")
        public void longText() {}

        @Refused({
            "holdLockTimeString = \"soon\": 'soon' is not a valid duration",
            "Write milliseconds, a duration such as 5s, or a placeholder"
        })
        @DistributionLock(key = "order", holdLockTimeString = "soon")
        public void noTime() {}

        @Refused("holdLockTimeString = \"${no.such.time}\"")
        @DistributionLock(key = "order", holdLockTimeString = "${no.such.time}")
        public void unknownTime() {}

        @Refused("minHoldTime (200 ms) is longer than holdLockTime")
        @DistributionLock(key = "order", holdLockTime = 100, minHoldTime = 200)
        public void longerThanTheLease() {}

        @Refused("permitsString = \"${at.once}\": For input string: \"0.5\"")
        @DistributionLock(key = "report", permitsString = "${at.once}")
        public void configured() {}

        @Refused("permits is -1: there is at least one.")
        @DistributionLock(key = "report", permits = -1)
        public void noPermits() {}

        @Refused({
            "permitsString = \"many\": For input string: \"many\".",
            "Write a whole number (0 for a lock), or a placeholder"
        })
        @DistributionLock(key = "report", permitsString = "many")
        public void manyPermits() {}

        @Refused("permits is 3, but kind is READ: a name is a lock")
        @DistributionLock(key = "report", permits = 3, kind = LockKind.READ)
        public void permitsOfReaders() {}

        @Refused("permits is 0: there is at least one.")
        @DistributionLock(key = "report", kind = LockKind.PERMIT)
        public void withoutNumber() {}

        @Refused("permitsString = \"99999999999\": For input string")
        @DistributionLock(key = "report", permitsString = "99999999999")
        public void tooManyPermits() {}

        @Refused("it refuses repeats (refuseRepeats), but its kind")
        @DistributionLock(key = "report", permits = 3, refuseRepeats = true, minHoldTime = 5)
        public void permitsAndRepeats() {}

        @Refused("within is -5000 ms: repeats are refused for more than 0")
        @RefuseRepeats(key = "form", within = "-5s")
        public void repeatsBefore() {}

        @Refused("within is -5000 ms: ")
        @RefuseRepeats(key = "form", within = "${within}")
        public void repeatsBeforeByPlaceholder() {}

        @Refused("within is 0 ms: ")
        @RefuseRepeats(key = "form", within = "")
        public void repeatsForNothing() {}

        @Refused("within is PT9600H: ")
        @RefuseRepeats(key = "form", within = "400d")
        public void repeatsForLong() {}

        @Refused("minHoldTime is 0 ms: ")
        @DistributionLock(key = "form", refuseRepeats = true)
        public void repeatsWithoutTime() {}

        @Refused({
            "lockAtLeastFor (120000 ms) is longer than lockAtMostFor",
            "Shorten lockAtLeastFor or lengthen lockAtMostFor."
        })
        @ScheduledLock(name = "job", lockAtLeastFor = "2m", lockAtMostFor = "1m")
        public void longJob() {}

        @Refused("lockAtMostFor = \"holdLockTime. 5%s\": ")
        @ScheduledLock(name = "job", lockAtMostFor = "holdLockTime. 5%s")
        public void textLikeAnAttribute() {}

        @Refused({
            "lockAtMostFor is 15 ms: the lock of a method is held",
            "Set lockAtMostFor to a time with its unit, such as 15s,"
        })
        @ScheduledLock(name = "job", lockAtMostFor = "15")
        public void jobWithoutUnit() {}

        @Refused("lockAtMostFor = \"soon\": 'soon' is not a valid duration")
        @ScheduledLock(name = "job", lockAtMostFor = "soon")
        public void unknownJob() {}
    }

    static class Conditions {

        @Refused({"the condition '#nobody > 1' names #nobody, which is not a parameter", "in 'condition'"})
        @DistributionLock(key = "k", condition = "#nobody > 1")
        public void onNothing(String code) {}

        @Refused({"does not parse", "without #{…}"})
        @DistributionLock(key = "k", condition = "#{#code != null}")
        public void inBraces(String code) {}

        @Refused({"the condition ''yes'' is neither true nor false", "is true for"})
        @DistributionLock(key = "k", condition = "'yes'")
        public void asText() {}

        @Refused({"cannot be resolved", "'condition' a default"})
        @DistributionLock(key = "k", condition = "${nobody.knows}")
        public void byNoProperty() {}

        @Refused({"the condition ' ' is blank", "Leave it out"})
        @DistributionLock(key = "k", condition = " ")
        public void blank() {}
    }

    static class WithPrivateMethod {

        private void ofTheParent() {}
    }

    static class Fallbacks extends WithPrivateMethod {

        @Refused({"fallbackMethod = \"ofTheParent\"", "no such method"})
        @DistributionLock(key = "k", fallbackMethod = "ofTheParent")
        public void privateInAnotherClass() {}

        @Refused({"fallbackMethod = \"gone\"", "no such method"})
        @DistributionLock(key = "k", fallbackMethod = "gone")
        public void missing() {}

        @Refused({"fallbackMethod = \"itself\"", "no such method"})
        @DistributionLock(key = "k", fallbackMethod = "itself")
        public void itself() {}

        @Refused({"fallbackMethod = \"ofANumber\"", "does not fit"})
        @DistributionLock(key = "k", fallbackMethod = "ofANumber")
        public void withOtherParameters(String code) {}

        void ofANumber(Integer code) {}

        @Refused({"does not fit", "return type java.lang.String"})
        @DistributionLock(key = "k", fallbackMethod = "toANumber")
        public String withOtherReturn() {
            return "";
        }

        int toANumber() {
            return 1;
        }

        @Refused("does not fit")
        @DistributionLock(key = "k", fallbackMethod = "ofAnotherFailure")
        public void withOtherException() {}

        void ofAnotherFailure(IOException exception) {}

        @Refused({"does not fit", "java.util.List<java.lang.String>"})
        @DistributionLock(key = "k", fallbackMethod = "toNumbers")
        public List<String> withOtherElements() {
            return List.of();
        }

        List<Integer> toNumbers() {
            return List.of();
        }
    }

    /** A number cannot be left out. */
    static class Skips {

        @Refused({"onBusy = SKIP", "returns int", "onBusy = THROW"})
        @DistributionLock(key = "k", onBusy = OnBusy.SKIP)
        public int busy() {
            return 1;
        }

        @Refused({"onBackendFailure = SKIP", "returns int", "onBackendFailure = FAIL"})
        @DistributionLock(key = "k", onBackendFailure = OnBackendFailure.SKIP)
        public int failed() {
            return 1;
        }

        @Refused({"onInterrupted = SKIP", "returns int", "onInterrupted = THROW"})
        @DistributionLock(key = "k", onInterrupted = OnInterrupted.SKIP)
        public int interrupted() {
            return 1;
        }
    }
}
