package io.distributionlock.failure;

import io.distributionlock.LockNotAcquiredException;
import io.distributionlock.annotation.LockProblem;
import io.distributionlock.internal.Internal;
import io.distributionlock.reflect.DeclaredMethods;
import io.distributionlock.reflect.KotlinTypes;
import io.distributionlock.reflect.MethodText;
import io.distributionlock.reflect.ReturnShape;
import io.distributionlock.reflect.SuspendingFunctions;
import io.distributionlock.reflect.TypeHierarchy;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.core.ResolvableType;
import org.springframework.util.ClassUtils;

/**
 * The methods that answer when a lock is not acquired. Each has the parameters of the locked method, optionally followed by an
 * exception. The one with the nearest exception type is called.
 *
 * @hidden
 */
@Internal
public final class FallbackMethods {

    public static final FallbackMethods NONE = new FallbackMethods(List.of());

    private final List<Method> candidates;

    private FallbackMethods(List<Method> candidates) {
        this.candidates = candidates;
    }

    /** Finds the methods of this name, and adds a problem if none fits. */
    public static FallbackMethods of(
            String name, Method locked, Class<?> targetClass, String place, List<LockProblem> problems) {
        if (name.isEmpty()) {
            return NONE;
        }
        List<Method> fitting = new ArrayList<>();
        List<Method> misfits = new ArrayList<>();
        for (Class<?> type : TypeHierarchy.of(targetClass)) {
            for (Method method : DeclaredMethods.of(type)) {
                boolean inherited = type != targetClass && Modifier.isPrivate(method.getModifiers());
                if (KotlinTypes.nameOf(method).equals(name)
                        && !method.isSynthetic()
                        && !method.equals(locked)
                        && !inherited) {
                    boolean fits = takesTheSame(method, locked, targetClass)
                            && returnsTheSame(method, locked, targetClass)
                            && !Modifier.isAbstract(method.getModifiers());
                    (fits ? fitting : misfits).add(method);
                }
            }
        }
        if (fitting.isEmpty()) {
            problems.add(misfits.isEmpty() ? missing(name, locked, place) : misfit(misfits.get(0), locked, place));
        }
        fitting.removeIf(method -> fitting.stream().anyMatch(other -> overrides(other, method)));
        fitting.forEach(Method::trySetAccessible);
        return new FallbackMethods(List.copyOf(fitting));
    }

    private static boolean overrides(Method nearer, Method method) {
        return nearer != method
                && method.getDeclaringClass().isAssignableFrom(nearer.getDeclaringClass())
                && method.getDeclaringClass() != nearer.getDeclaringClass()
                && Arrays.equals(method.getParameterTypes(), nearer.getParameterTypes());
    }

    private static boolean takesTheSame(Method fallback, Method locked, Class<?> targetClass) {
        int shared = SuspendingFunctions.parametersOf(locked);
        int own = SuspendingFunctions.parametersOf(fallback);
        boolean couldNotWait = SuspendingFunctions.contain(fallback) && !SuspendingFunctions.contain(locked);
        if (couldNotWait || (own != shared && own != shared + 1)) {
            return false;
        }
        for (int i = 0; i < shared; i++) {
            Class<?> passed =
                    ResolvableType.forMethodParameter(locked, i, targetClass).resolve(Object.class);
            Class<?> taken =
                    ResolvableType.forMethodParameter(fallback, i, targetClass).resolve(Object.class);
            if (!ClassUtils.isAssignable(taken, passed)) {
                return false;
            }
        }
        return own == shared || isExceptionOfLock(fallback.getParameterTypes()[shared]);
    }

    private static boolean isExceptionOfLock(Class<?> type) {
        return Throwable.class.isAssignableFrom(type)
                && (type.isAssignableFrom(LockNotAcquiredException.class)
                        || LockNotAcquiredException.class.isAssignableFrom(type));
    }

    private static boolean returnsTheSame(Method fallback, Method locked, Class<?> targetClass) {
        if (locked.getReturnType() == void.class) {
            return true;
        }
        ResolvableType expected = SuspendingFunctions.resultOf(locked, targetClass);
        ResolvableType actual = SuspendingFunctions.resultOf(fallback, targetClass);
        if (actual.resolve() == void.class) {
            return KotlinTypes.isUnit(expected);
        }
        boolean fully = expected.getType() instanceof ParameterizedType
                && actual.getType() instanceof ParameterizedType
                && !expected.hasUnresolvableGenerics()
                && !actual.hasUnresolvableGenerics();
        return fully
                ? expected.isAssignableFrom(actual)
                : ClassUtils.isAssignable(expected.resolve(Object.class), actual.resolve(Object.class));
    }

    private static LockProblem missing(String name, Method locked, String place) {
        return new LockProblem(
                place + " has fallbackMethod = \"" + name + "\", but there is no such method.",
                "Declare a method '" + name + "' with the parameters of '" + locked.getName()
                        + "' (and a LockNotAcquiredException after them, if you like), or correct 'fallbackMethod'.");
    }

    private static LockProblem misfit(Method fallback, Method locked, String place) {
        return new LockProblem(
                place + " has fallbackMethod = \"" + fallback.getName() + "\", but " + MethodText.of(fallback)
                        + " does not fit.",
                "Give it the parameters of '" + locked.getName()
                        + "' (and a LockNotAcquiredException after them, if you like) and the return type "
                        + SuspendingFunctions.resultOf(locked, locked.getDeclaringClass())
                                .getType()
                                .getTypeName() + ".");
    }

    /** The method for this exception, or {@code null} if there is none. */
    @Nullable
    Method nearest(LockNotAcquiredException exception, int sharedParameters) {
        Method nearest = null;
        int nearestDistance = Integer.MAX_VALUE;
        for (Method candidate : candidates) {
            int distance = distance(candidate, exception, sharedParameters);
            if (distance >= 0 && distance < nearestDistance) {
                nearest = candidate;
                nearestDistance = distance;
            }
        }
        return nearest;
    }

    private static int distance(Method candidate, LockNotAcquiredException exception, int sharedParameters) {
        if (SuspendingFunctions.parametersOf(candidate) == sharedParameters) {
            return Integer.MAX_VALUE - 1;
        }
        Class<?> taken = candidate.getParameterTypes()[sharedParameters];
        int distance = 0;
        for (Class<?> type = exception.getClass(); type != null; type = type.getSuperclass()) {
            if (type == taken) {
                return distance;
            }
            distance++;
        }
        return -1;
    }

    /** Calls a fallback; its exceptions pass through unchanged. */
    static @Nullable Object call(Method fallback, RefusedCall call, LockNotAcquiredException exception)
            throws Throwable {
        List<@Nullable Object> arguments = new ArrayList<>(Arrays.asList(call.arguments()));
        if (SuspendingFunctions.parametersOf(fallback) > arguments.size()) {
            arguments.add(exception);
        }
        if (SuspendingFunctions.contain(fallback)) {
            arguments.add(call.continuation());
        }
        Object answer = SuspendingFunctions.call(fallback, call.target(), arguments.toArray());
        boolean plain = SuspendingFunctions.contain(call.javaMethod()) && !SuspendingFunctions.contain(fallback);
        return plain ? ReturnShape.REACTIVE.wrap(answer, call.returnType()) : answer;
    }
}
