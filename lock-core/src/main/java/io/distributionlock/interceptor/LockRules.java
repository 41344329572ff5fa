package io.distributionlock.interceptor;

import io.distributionlock.OnLost;
import io.distributionlock.annotation.DistributionLock;
import io.distributionlock.annotation.DistributionLockParam;
import io.distributionlock.annotation.LockProblem;
import io.distributionlock.annotation.OnBackendFailure;
import io.distributionlock.annotation.OnBusy;
import io.distributionlock.annotation.OnInterrupted;
import io.distributionlock.internal.KotlinMethods;
import io.distributionlock.internal.ReactiveTypes;
import io.distributionlock.key.AttributeNames;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.core.ResolvableType;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.util.ClassUtils;

/** The rules for the declaration of locks on a method, checked without calling it. */
final class LockRules {

    private static final String NULLABLE = "a nullable type (with '?')";

    private final Method method;
    private final ResolvableType returnType;
    private final List<LockProblem> problems;

    /**
     * @param returnType what the method returns to the advice of a proxy
     * @param problems where what is wrong is added
     */
    LockRules(Method method, ResolvableType returnType, List<LockProblem> problems) {
        this.method = method;
        this.returnType = returnType;
        this.problems = problems;
    }

    /** Checks the method itself, whatever its annotation says. */
    void checkMethod(boolean async, String place) {
        if (Modifier.isPrivate(method.getModifiers())) {
            problems.add(unreachable(place, "private", "Make the method public and call it from another bean."));
        }
        if (Modifier.isStatic(method.getModifiers())) {
            problems.add(unreachable(place, "static", "Make it an instance method of a bean."));
        }
        // The methods of a JDK proxy are final, but another proxy implements its interfaces and calls it.
        if (Modifier.isFinal(method.getModifiers())
                && !Modifier.isStatic(method.getModifiers())
                && !Proxy.isProxyClass(method.getDeclaringClass())) {
            problems.add(unreachable(
                    place,
                    "final",
                    KotlinMethods.actionForFinal(method.getDeclaringClass(), "Remove 'final' from the method.")));
        }
        if (MergedAnnotations.from(method).isPresent(DistributionLockParam.class)) {
            problems.add(new LockProblem(
                    place + " is combined with @DistributionLockParam on the method, which marks no parameter.",
                    "Put @DistributionLockParam on the parameters that are parts of the name."));
        }
        if (isCallback() && MergedAnnotations.from(method).isPresent(DistributionLock.class)) {
            problems.add(LockProblem.unlocked(
                    place + " has no effect when the container calls the method, which it does on the object itself.",
                    "Lock a method that is called from elsewhere, such as an ApplicationRunner or an @EventListener,"
                            + " or lock inside by LockTemplate."));
        }
        checkResult(async, place);
        if (KotlinMethods.isSuspending(method) && !KotlinMethods.becomesMono(method)) {
            problems.add(new LockProblem(
                    place + " is on a suspending function, which Spring cannot run.",
                    "Add kotlinx-coroutines-reactor and kotlin-reflect to the class path."));
        }
    }

    /** Whether the container calls the method directly, not through the proxy, when it creates or destroys the bean. */
    private boolean isCallback() {
        boolean byInterface = method.getParameterCount() == 0
                && ((method.getName().equals("afterPropertiesSet")
                                && InitializingBean.class.isAssignableFrom(method.getDeclaringClass()))
                        || (method.getName().equals("destroy")
                                && DisposableBean.class.isAssignableFrom(method.getDeclaringClass())));
        MergedAnnotations annotations = MergedAnnotations.from(method);
        return byInterface
                || annotations.isPresent("jakarta.annotation.PostConstruct")
                || annotations.isPresent("jakarta.annotation.PreDestroy");
    }

    private void checkResult(boolean async, String place) {
        Class<?> returned = returnType.resolve(Object.class);
        boolean futureOfAsync = async && Future.class.isAssignableFrom(returned);
        if (ReturnShape.of(returnType) == ReturnShape.UNKNOWN_LATER && !futureOfAsync) {
            problems.add(new LockProblem(
                    place + " cannot know when the work has ended from a " + returned.getName() + ".",
                    ReturnShape.ACTION));
            return;
        }
        Class<?> inner = ReturnShape.unfinishedInside(returnType);
        if (inner != null && KotlinMethods.isSuspending(method)) {
            problems.add(new LockProblem(
                    place + " cannot know when the work has ended from the " + inner.getName()
                            + " that the suspending function returns.",
                    "Return the value itself, or write the function without 'suspend'."));
        } else if (inner != null) {
            problems.add(new LockProblem(
                    place + " cannot know when the work has ended from the " + inner.getName() + " inside of a "
                            + returnType + ".",
                    ReturnShape.ACTION));
        }
    }

    private static LockProblem unreachable(String place, String modifier, String action) {
        return LockProblem.unlocked(
                place + " has no effect, because the method is " + modifier + ": the proxy cannot override it.",
                action);
    }

    /** Checks one annotation. Its times and its fallback are checked where they are read. */
    void checkAnnotation(DistributionLock annotation, AttributeNames wording) {
        String place = wording.place(method);
        if (annotation.key().isBlank()) {
            String key = wording.nameOf("key");
            problems.add(new LockProblem(
                    place + " has a blank " + key + ".",
                    "Set '" + key + "' to a text that says what is locked, such as \"order\"."));
        }
        if (annotation.delimiter().isEmpty()) {
            problems.add(new LockProblem(
                    place + " has an empty delimiter.",
                    "Set 'delimiter' to at least one character, or leave it out for \":\"."));
        }
        if (annotation.onBusy() == OnBusy.SKIP) {
            checkSkip("onBusy", OnBusy.THROW, wording);
        }
        if (annotation.onInterrupted() == OnInterrupted.SKIP) {
            checkSkip("onInterrupted", OnInterrupted.THROW, wording);
        }
        if (annotation.onBackendFailure() == OnBackendFailure.SKIP) {
            checkSkip("onBackendFailure", OnBackendFailure.FAIL, wording);
        }
        if (annotation.onLost() == OnLost.INTERRUPT
                && ReturnShape.of(returnType).isAsynchronous()) {
            problems.add(new LockProblem(
                    place + " has onLost = INTERRUPT, but the method is asynchronous and has no thread of its own.",
                    "Set 'onLost' to THROW or REPORT."));
        }
    }

    private void checkSkip(String attribute, Enum<?> otherwise, AttributeNames wording) {
        String instead = insteadOfSkipped();
        if (instead != null) {
            String skip = wording.nameOf(attribute);
            problems.add(new LockProblem(
                    wording.place(method) + " means " + skip + " = SKIP, but the method returns "
                            + (KotlinMethods.isSuspending(method) ? returnType.getGeneric(0) : returnType)
                            + ", which cannot be left out.",
                    "Return " + instead + ", or use a @DistributionLock with " + skip + " = " + otherwise + "."));
        }
    }

    /** A return type that could be skipped instead of this one; {@code null} if this one can. */
    private @Nullable String insteadOfSkipped() {
        Class<?> returned = returnType.resolve(Object.class);
        if (returned == void.class) {
            return null;
        }
        if (returned.isPrimitive()) {
            return boxedName(returned) + " or an Optional";
        }
        ReturnShape shape = ReturnShape.of(returnType);
        if (KotlinMethods.isSuspending(method)) {
            boolean nothing = KotlinMethods.isUnit(returnType.getGeneric(0));
            return nothing || !KotlinMethods.isNeverNull(method) ? null : NULLABLE;
        }
        if (shape == ReturnShape.REACTIVE) {
            return ReactiveTypes.adapterOf(returnType).supportsEmpty() ? null : "a type that can be empty";
        }
        if (ReturnShape.nothing(returnType) == null && KotlinMethods.isNeverNull(method)) {
            return NULLABLE;
        }
        return null;
    }

    /** Checks several annotations on the method together. */
    void checkTogether(List<LockOperation> locks) {
        List<String> executors = locks.stream()
                .map(lock -> lock.settings().executor())
                .distinct()
                .sorted()
                .toList();
        if (executors.size() > 1) {
            problems.add(
                    new LockProblem(
                            locks.get(0).place()
                                    + " asks for locks of different executors: '" + String.join("', '", executors)
                                    + "'. They cannot be acquired all or none.",
                            "Give all of them the same 'executor', or lock twice: in a method that calls a locked method of another bean."));
        }
    }

    private static String boxedName(Class<?> primitive) {
        return ClassUtils.resolvePrimitiveIfNecessary(primitive).getSimpleName();
    }
}
