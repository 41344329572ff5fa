package io.distributionlock.aop;

import io.distributionlock.OnLost;
import io.distributionlock.annotation.DistributionLock;
import io.distributionlock.annotation.OnBusy;
import io.distributionlock.annotation.OnInterrupted;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.List;
import org.springframework.core.ResolvableType;
import org.springframework.util.ClassUtils;

/** What a declaration of a lock must keep to, found out without calling the method. */
final class LockRules {

    private LockRules() {}

    static String place(Method method) {
        return "@DistributionLock on " + MethodText.of(method);
    }

    /** Adds what is wrong with a method that is to be locked, whatever its annotation says. */
    static void checkMethod(Method method, ResolvableType returnType, boolean async, List<LockProblem> problems) {
        String place = place(method);
        if (Modifier.isPrivate(method.getModifiers())) {
            problems.add(unreachable(place, "private", "Make the method public and call it from another bean."));
        }
        if (Modifier.isStatic(method.getModifiers())) {
            problems.add(unreachable(place, "static", "Make it an instance method of a bean."));
        }
        // The methods of a JDK proxy are final, but another proxy implements its interfaces and calls it.
        if (Modifier.isFinal(method.getModifiers()) && !Proxy.isProxyClass(method.getDeclaringClass())) {
            problems.add(unreachable(place, "final", "Take 'final' off the method."));
        }
        if (ReturnShape.of(returnType) == ReturnShape.UNKNOWN_LATER && !async) {
            problems.add(new LockProblem(
                    place + " cannot tell when the work has ended from a "
                            + returnType.resolve(Object.class).getName() + ".",
                    "Return the value itself, a CompletableFuture, a CompletionStage, a Mono or a Flux."));
        }
        if (isSuspending(method)) {
            problems.add(new LockProblem(
                    place + " is not supported on a suspending function.",
                    "Return a Mono, or lock inside the function by LockTemplate."));
        }
    }

    private static boolean isSuspending(Method method) {
        Class<?>[] types = method.getParameterTypes();
        return types.length > 0 && types[types.length - 1].getName().equals("kotlin.coroutines.Continuation");
    }

    private static LockProblem unreachable(String place, String modifier, String cure) {
        return LockProblem.unlocked(
                place + " has no effect, because the method is " + modifier
                        + ": the proxy that locks cannot override it.",
                cure);
    }

    /** Adds what is wrong with one annotation; its times and its fallback are checked where they are read. */
    static void checkAnnotation(
            Method method, ResolvableType returnType, DistributionLock annotation, List<LockProblem> problems) {
        String place = place(method);
        Class<?> returned = returnType.resolve(Object.class);
        if (annotation.key().isBlank()) {
            problems.add(new LockProblem(
                    place + " has a blank key.", "Set 'key' to a text that says what is locked, such as \"order\"."));
        }
        if (annotation.delimiter().isEmpty()) {
            problems.add(new LockProblem(
                    place + " has an empty delimiter.",
                    "Set 'delimiter' to at least one character, or leave it out for \":\"."));
        }
        if (annotation.onBusy() == OnBusy.SKIP) {
            checkSkip("onBusy", place, returned, problems);
        }
        if (annotation.onInterrupted() == OnInterrupted.SKIP) {
            checkSkip("onInterrupted", place, returned, problems);
        }
        if (annotation.onLost() == OnLost.INTERRUPT
                && ReturnShape.of(returnType).isAsynchronous()) {
            problems.add(new LockProblem(
                    place + " has onLost = INTERRUPT, but the method is asynchronous and has no thread of its own.",
                    "Set 'onLost' to THROW or REPORT."));
        }
    }

    private static void checkSkip(String attribute, String place, Class<?> returned, List<LockProblem> problems) {
        if (returned.isPrimitive() && returned != void.class) {
            problems.add(new LockProblem(
                    place + " has " + attribute + " = SKIP, but the method returns " + returned.getName()
                            + ", which cannot be left out.",
                    "Return " + boxedName(returned) + " or an Optional, or set '" + attribute + "' to THROW."));
        }
    }

    /** Adds what is wrong with several annotations on one method. */
    static void checkTogether(Method method, List<DistributionLock> annotations, List<LockProblem> problems) {
        List<String> executors = annotations.stream()
                .map(DistributionLock::executor)
                .distinct()
                .sorted()
                .toList();
        if (executors.size() > 1) {
            problems.add(new LockProblem(
                    place(method) + " asks for locks of different executors: '" + String.join("', '", executors)
                            + "'. They could not be taken all or none.",
                    "Give all of them the same 'executor', or lock twice, by a method that calls another bean's."));
        }
    }

    private static String boxedName(Class<?> primitive) {
        return ClassUtils.resolvePrimitiveIfNecessary(primitive).getSimpleName();
    }
}
