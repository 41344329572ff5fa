package io.distributionlock.failure;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributionlock.LockNotAcquiredException;
import io.distributionlock.LockOutcome;
import io.distributionlock.annotation.DistributionLock;
import io.distributionlock.annotation.OnBusy;
import io.distributionlock.testing.LockContextRunner;
import io.distributionlock.testing.ScriptedLockExecutor;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.core.Ordered;
import org.springframework.http.ResponseEntity;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Which types a mapper serves, and what the start says of those that it does not serve. */
@Tag("boot4")
@ExtendWith(OutputCaptureExtension.class)
class MapperTypesTest {

    private static final Duration LONG = Duration.ofSeconds(30);

    private final ScriptedLockExecutor executor = new ScriptedLockExecutor();

    private ApplicationContextRunner runner(Class<?>... beans) {
        return LockContextRunner.with(executor, beans);
    }

    static Stream<Arguments> served() {
        String all =
                "bare open ofVoid ofObject ofString ofNumber ofPage later inMono inFlux inOptional inEntity laterEntity";
        return Stream.of(
                Arguments.of(Bare.class, all),
                Arguments.of(Open.class, all),
                Arguments.of(OfVoid.class, all),
                Arguments.of(OfObject.class, all),
                Arguments.of(OfString.class, "ofString later inMono inFlux inOptional inEntity laterEntity"),
                Arguments.of(OfSomeNumber.class, "bare open ofNumber"),
                Arguments.of(OfAnyPage.class, "ofPage"),
                Arguments.of(OfVoidPage.class, "ofPage"),
                Arguments.of(OfEntity.class, "inEntity laterEntity"),
                Arguments.of(OfMono.class, "inMono"),
                Arguments.of(OfNothing.class, "nothing"),
                Arguments.of(OfSubtype.class, ""));
    }

    @ParameterizedTest
    @MethodSource
    void served(Class<?> mapper, String methods) {
        runner(mapper, Service.class).run(context -> {
            Service service = context.getBean(Service.class);
            Set<String> served = Arrays.stream(Service.class.getDeclaredMethods())
                    .filter(method -> method.isAnnotationPresent(DistributionLock.class))
                    .filter(method -> isAnswered(() -> method.invoke(service)))
                    .map(Method::getName)
                    .collect(Collectors.toCollection(TreeSet::new));
            assertThat(served)
                    .containsExactlyInAnyOrderElementsOf(methods.isEmpty() ? List.of() : List.of(methods.split(" ")));
        });
    }

    private interface Call {
        Object call() throws Exception;
    }

    /** Whether the caller gets the mapper's answer and not an exception. */
    private boolean isAnswered(Call call) {
        executor.answerNext(new LockOutcome.Busy(Duration.ofMillis(12)));
        try {
            Object answer = inside(call.call());
            assertThat(answer instanceof Resp<?> resp ? resp.message() : answer).isIn("busy", null);
            return true;
        } catch (Exception e) {
            assertThat(NestedExceptionUtils.getMostSpecificCause(e)).isInstanceOf(LockNotAcquiredException.class);
            return false;
        }
    }

    private static Object inside(Object answer) throws Exception {
        if (answer instanceof Future<?> future) {
            return inside(future.get());
        } else if (answer instanceof Mono<?> mono) {
            return inside(mono.block(LONG));
        } else if (answer instanceof Flux<?> flux) {
            return inside(flux.blockLast(LONG));
        } else if (answer instanceof Optional<?> optional) {
            return inside(optional.orElseThrow());
        }
        return answer instanceof ResponseEntity<?> entity ? inside(entity.getBody()) : answer;
    }

    /** Its advice takes the value out of the future. */
    @Test
    void theFutureOfAnAsynchronousMethodIsServed() {
        runner(Open.class, AsyncService.class).run(context -> {
            executor.answerNext(new LockOutcome.Busy(Duration.ofMillis(12)));
            assertThat(context.getBean(AsyncService.class).later().get()).isEqualTo(new Resp<>("busy"));
        });
    }

    /** What was served before counts more than what only has no data. */
    @Test
    void aMapperOfTheExactTypeComesBeforeOneWithoutData() {
        runner(FirstOfVoid.class, OfString.class, Service.class).run(context -> {
            executor.answerNext(new LockOutcome.Busy(Duration.ofMillis(12)));
            assertThat(context.getBean(Service.class).ofString()).isEqualTo(new Resp<>("busy"));
            executor.answerNext(new LockOutcome.Busy(Duration.ofMillis(12)));
            assertThat(context.getBean(Service.class).ofNumber()).isEqualTo(new Resp<>("first"));
        });
    }

    @Test
    void aMapperThatServesNoMethodIsReported(CapturedOutput output) {
        runner(OfString.class, Numbers.class).run(context -> assertThat(context).hasNotFailed());
        assertThat(output)
                .containsOnlyOnce("The LockFailureMapper")
                .contains("'mapperTypesTest.OfString' answers for " + Resp.class.getName()
                        + "<java.lang.String>, but no locked method returns that. The nearest is "
                        + Numbers.class.getName() + ".find(), which returns " + Resp.class.getName()
                        + "<java.lang.Integer>. If the lock is busy, the caller gets a LockNotAcquiredException."
                        + " Declare a LockFailureMapper<Resp<?>> to answer there too, or set onBusy = THROW on the"
                        + " method.");
    }

    @Test
    void aMapperOfAnEntirelyOtherTypeIsReported(CapturedOutput output) {
        runner(OfNothing.class, Numbers.class)
                .run(context -> assertThat(context).hasNotFailed());
        assertThat(output)
                .contains("answers for java.lang.Void, but no locked method returns that: they return "
                        + Resp.class.getName() + "<java.lang.Integer>. Correct the type, or remove the bean.");
    }

    @Test
    void aMethodThatIsNearlyServedIsReported(CapturedOutput output) {
        runner(OfString.class, Texts.class, Numbers.class, Thrower.class, WithFallback.class)
                .run(context -> assertThat(context).hasNotFailed());
        assertThat(output)
                .contains("but not for " + Numbers.class.getName() + ".find(), which returns")
                .doesNotContain("Texts.find")
                .doesNotContain("Thrower")
                .doesNotContain("WithFallback");
    }

    @Test
    void aMethodThatReturnsASupertypeIsReported(CapturedOutput output) {
        runner(OfSubtype.class, Supertype.class)
                .run(context -> assertThat(context).hasNotFailed());
        assertThat(output)
                .contains("The nearest is " + Supertype.class.getName() + ".find(), which returns")
                .contains("Declare a LockFailureMapper<Answer> to answer there too");
    }

    @Test
    void aMapperThatNeverComesFirstIsReported(CapturedOutput output) {
        runner(FirstOfVoid.class, Open.class, FirstOpen.class, Numbers.class)
                .run(context -> assertThat(context).hasNotFailed());
        assertThat(output)
                .contains("'mapperTypesTest.Open' answers for " + Resp.class.getName()
                        + "<?>, but another mapper comes first for every locked method that returns it.");
    }

    @Test
    void aMapperThatServesIsNotReported(CapturedOutput output) {
        runner(Open.class, Texts.class, Numbers.class)
                .run(context -> assertThat(context).hasNotFailed());
        assertThat(output).doesNotContain("LockFailureMapper");
    }

    /** As in a slice of a test, or before the first locked method is written. */
    @Test
    void withoutLockedMethodsNothingIsReported(CapturedOutput output) {
        runner(OfString.class).run(context -> assertThat(context).hasNotFailed());
        assertThat(output).doesNotContain("LockFailureMapper");
    }

    /** Others of its children may have methods for it. */
    @Test
    void aMapperOfAParentIsNotReported(CapturedOutput output) {
        try (AnnotationConfigApplicationContext parent = new AnnotationConfigApplicationContext(OfString.class)) {
            runner(Numbers.class)
                    .withParent(parent)
                    .run(context -> assertThat(context).hasNotFailed());
        }
        assertThat(output).doesNotContain("LockFailureMapper");
    }

    @Test
    void aMapperWithoutATypeStopsTheStart() {
        runner(Numbers.class)
                .withBean("silent", LockFailureMapper.class, () -> failure -> "busy")
                .run(context -> assertThat(context.getStartupFailure())
                        .hasMessageContaining("'silent' does not say which return type it answers for"));
    }

    interface Answer {
        String message();
    }

    record Resp<T>(String message) implements Answer {}

    static final class SpecialResp implements Answer {
        @Override
        public String message() {
            return "busy";
        }
    }

    static class Service {

        @DistributionLock(key = "a")
        @SuppressWarnings("rawtypes")
        public Resp bare() {
            return new Resp<>("ran");
        }

        @DistributionLock(key = "a")
        public Resp<?> open() {
            return new Resp<>("ran");
        }

        @DistributionLock(key = "a")
        public Resp<Void> ofVoid() {
            return new Resp<>("ran");
        }

        @DistributionLock(key = "a")
        public Resp<Object> ofObject() {
            return new Resp<>("ran");
        }

        @DistributionLock(key = "a")
        public Resp<String> ofString() {
            return new Resp<>("ran");
        }

        @DistributionLock(key = "a")
        public Resp<Integer> ofNumber() {
            return new Resp<>("ran");
        }

        @DistributionLock(key = "a")
        public Resp<List<String>> ofPage() {
            return new Resp<>("ran");
        }

        @DistributionLock(key = "a")
        public CompletableFuture<Resp<String>> later() {
            return CompletableFuture.completedFuture(new Resp<>("ran"));
        }

        @DistributionLock(key = "a")
        public Mono<Resp<String>> inMono() {
            return Mono.just(new Resp<>("ran"));
        }

        @DistributionLock(key = "a")
        public Flux<Resp<String>> inFlux() {
            return Flux.just(new Resp<>("ran"));
        }

        @DistributionLock(key = "a")
        public Optional<Resp<String>> inOptional() {
            return Optional.of(new Resp<>("ran"));
        }

        @DistributionLock(key = "a")
        public ResponseEntity<Resp<String>> inEntity() {
            return ResponseEntity.ok(new Resp<>("ran"));
        }

        @DistributionLock(key = "a")
        public CompletableFuture<ResponseEntity<Resp<String>>> laterEntity() {
            return CompletableFuture.completedFuture(inEntity());
        }

        @DistributionLock(key = "a")
        public Map<String, Resp<String>> inMap() {
            return Map.of();
        }

        @DistributionLock(key = "a")
        public Object object() {
            return "ran";
        }

        @DistributionLock(key = "a")
        public Answer supertype() {
            return new Resp<>("ran");
        }

        @DistributionLock(key = "a")
        public void nothing() {}
    }

    @EnableAsync
    static class AsyncService {
        @Async
        @DistributionLock(key = "a")
        public Future<Resp<String>> later() {
            return CompletableFuture.completedFuture(new Resp<>("ran"));
        }
    }

    static class Numbers {
        @DistributionLock(key = "a")
        public Resp<Integer> find() {
            return new Resp<>("ran");
        }
    }

    static class Texts {
        @DistributionLock(key = "a")
        public Resp<String> find() {
            return new Resp<>("ran");
        }
    }

    static class Supertype {
        @DistributionLock(key = "a")
        public Answer find() {
            return new SpecialResp();
        }
    }

    static class Thrower {
        @DistributionLock(key = "a", onBusy = OnBusy.THROW)
        public Resp<Integer> find() {
            return new Resp<>("ran");
        }
    }

    static class WithFallback {
        @DistributionLock(key = "a", fallbackMethod = "other")
        public Resp<Integer> find() {
            return new Resp<>("ran");
        }

        Resp<Integer> other() {
            return new Resp<>("other");
        }
    }

    @SuppressWarnings("rawtypes")
    static class Bare implements LockFailureMapper<Resp> {
        @Override
        public Resp map(LockFailure failure) {
            return new Resp<>("busy");
        }
    }

    static class Open implements LockFailureMapper<Resp<?>> {
        @Override
        public Resp<?> map(LockFailure failure) {
            return new Resp<>("busy");
        }
    }

    static class FirstOpen extends Open implements Ordered {
        @Override
        public int getOrder() {
            return 1;
        }
    }

    static class OfVoid implements LockFailureMapper<Resp<Void>> {
        @Override
        public Resp<Void> map(LockFailure failure) {
            return new Resp<>("busy");
        }
    }

    static class FirstOfVoid extends OfVoid implements Ordered {
        @Override
        public int getOrder() {
            return 0;
        }

        @Override
        public Resp<Void> map(LockFailure failure) {
            return new Resp<>("first");
        }
    }

    static class OfObject implements LockFailureMapper<Resp<Object>> {
        @Override
        public Resp<Object> map(LockFailure failure) {
            return new Resp<>("busy");
        }
    }

    static class OfString implements LockFailureMapper<Resp<String>> {
        @Override
        public Resp<String> map(LockFailure failure) {
            return new Resp<>("busy");
        }
    }

    static class OfSomeNumber implements LockFailureMapper<Resp<? extends Number>> {
        @Override
        public Resp<? extends Number> map(LockFailure failure) {
            return new Resp<>("busy");
        }
    }

    static class OfAnyPage implements LockFailureMapper<Resp<List<?>>> {
        @Override
        public Resp<List<?>> map(LockFailure failure) {
            return new Resp<>("busy");
        }
    }

    static class OfVoidPage implements LockFailureMapper<Resp<List<Void>>> {
        @Override
        public Resp<List<Void>> map(LockFailure failure) {
            return new Resp<>("busy");
        }
    }

    static class OfEntity implements LockFailureMapper<ResponseEntity<Resp<?>>> {
        @Override
        public ResponseEntity<Resp<?>> map(LockFailure failure) {
            return ResponseEntity.status(409).body(new Resp<>("busy"));
        }
    }

    static class OfMono implements LockFailureMapper<Mono<?>> {
        @Override
        public Mono<?> map(LockFailure failure) {
            return Mono.just(new Resp<>("busy"));
        }
    }

    static class OfNothing implements LockFailureMapper<Void> {
        @Override
        public Void map(LockFailure failure) {
            return null;
        }
    }

    static class OfSubtype implements LockFailureMapper<SpecialResp> {
        @Override
        public SpecialResp map(LockFailure failure) {
            return new SpecialResp();
        }
    }
}
