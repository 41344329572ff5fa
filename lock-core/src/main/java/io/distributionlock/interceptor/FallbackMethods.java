package io.distributionlock.interceptor;

import io.distributionlock.LockNotAcquiredException;
import io.distributionlock.annotation.LockProblem;
import io.distributionlock.internal.KotlinMethods;
import io.distributionlock.internal.MethodText;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;
import org.springframework.core.ExceptionDepthComparator;
import org.springframework.core.ResolvableType;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/**
 * The methods that answer when a lock is not acquired. Each has the parameters of the locked method, optionally followed by an
 * exception. The one with the nearest exception type is called.
 */
final class FallbackMethods {

    static final FallbackMethods NONE = new FallbackMethods(Map.of(), null);

    private final Map<Class<? extends Throwable>, Method> byException;
    private final @Nullable Method withoutException;

    private FallbackMethods(Map<Class<? extends Throwable>, Method> byException, @Nullable Method withoutException) {
        this.byException = byException;
        this.withoutException = withoutException;
    }

    /** Finds the methods of this name, and adds a problem if none fits. */
    static FallbackMethods of(
            String name, Method locked, Class<?> targetClass, String place, List<LockProblem> problems) {
        if (name.isEmpty()) {
            return NONE;
        }
        Method[] named = ReflectionUtils.getUniqueDeclaredMethods(
                targetClass, method -> isNamed(name, method, targetClass) && !method.equals(locked));
        Map<Class<? extends Throwable>, Method> byException = new LinkedHashMap<>();
        Method withoutException = null;
        for (Method method : named) {
            if (takesTheSame(method, locked, targetClass) && returnsTheSame(method, locked, targetClass)) {
                method.trySetAccessible();
                Class<? extends Throwable> exception = exceptionOf(method, locked);
                if (exception != null) {
                    byException.putIfAbsent(exception, method);
                } else if (withoutException == null) {
                    withoutException = method;
                }
            }
        }
        if (byException.isEmpty() && withoutException == null) {
            problems.add(problem(name, named, locked, place));
        }
        return new FallbackMethods(byException, withoutException);
    }

    private static boolean isNamed(String name, Method method, Class<?> targetClass) {
        boolean inherited = method.getDeclaringClass() != targetClass && Modifier.isPrivate(method.getModifiers());
        return KotlinMethods.nameOf(method).equals(name)
                && !inherited
                && !method.isSynthetic()
                && !Modifier.isAbstract(method.getModifiers());
    }

    /** What a method takes after the parameters of the locked one; {@code null} if it takes nothing more. */
    private static @Nullable Class<? extends Throwable> exceptionOf(Method fallback, Method locked) {
        int shared = KotlinMethods.parametersOf(locked);
        return KotlinMethods.parametersOf(fallback) == shared
                ? null
                : fallback.getParameterTypes()[shared].asSubclass(Throwable.class);
    }

    private static boolean takesTheSame(Method fallback, Method locked, Class<?> targetClass) {
        int shared = KotlinMethods.parametersOf(locked);
        int own = KotlinMethods.parametersOf(fallback);
        boolean couldNotWait = KotlinMethods.isSuspending(fallback) && !KotlinMethods.isSuspending(locked);
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
        ResolvableType expected = ResolvableType.forMethodReturnType(locked, targetClass);
        ResolvableType actual = ResolvableType.forMethodReturnType(fallback, targetClass);
        if (actual.resolve() == void.class) {
            return KotlinMethods.isUnit(expected);
        }
        boolean fully = expected.getType() instanceof ParameterizedType
                && actual.getType() instanceof ParameterizedType
                && !expected.hasUnresolvableGenerics()
                && !actual.hasUnresolvableGenerics();
        return fully
                ? expected.isAssignableFrom(actual)
                : ClassUtils.isAssignable(expected.resolve(Object.class), actual.resolve(Object.class));
    }

    private static LockProblem problem(String name, Method[] named, Method locked, String place) {
        String complaint = named.length == 0 ? "there is no such method" : MethodText.of(named[0]) + " does not fit";
        return new LockProblem(
                place + " has fallbackMethod = \"" + name + "\", but " + complaint + ".",
                "Declare a method '" + name + "' with the parameters of '" + locked.getName()
                        + "' (and a LockNotAcquiredException after them, if you like) and the return type "
                        + ResolvableType.forMethodReturnType(locked, locked.getDeclaringClass())
                                .getType()
                                .getTypeName() + ", or correct 'fallbackMethod'.");
    }

    /** The method for this exception, or {@code null} if there is none. */
    @Nullable
    Method nearest(LockNotAcquiredException exception) {
        List<Class<? extends Throwable>> fitting = byException.keySet().stream()
                .filter(type -> type.isInstance(exception))
                .toList();
        return fitting.isEmpty()
                ? withoutException
                : byException.get(ExceptionDepthComparator.findClosestMatch(fitting, exception));
    }

    /** Calls a fallback; its exceptions pass through unchanged. */
    static @Nullable Object call(Method fallback, LockInvocationContext call, LockNotAcquiredException exception)
            throws Throwable {
        List<@Nullable Object> arguments = new ArrayList<>(Arrays.asList(call.arguments()));
        if (KotlinMethods.parametersOf(fallback) > arguments.size()) {
            arguments.add(exception);
        }
        if (KotlinMethods.isSuspending(fallback)) {
            arguments.add(call.continuation());
        }
        Object answer = AopUtils.invokeJoinpointUsingReflection(call.target(), fallback, arguments.toArray());
        boolean plain = call.method().suspending() && !KotlinMethods.isSuspending(fallback);
        return plain ? ReturnShape.REACTIVE.wrap(answer, call.method().returnType()) : answer;
    }
}
