package io.distributionlock.internal;

import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.util.Arrays;
import java.util.stream.Collectors;

/**
 * Names methods and parameters in messages.
 *
 * @hidden
 */
@Internal
public final class MethodText {

    private MethodText() {}

    public static String of(Method method) {
        String parameters = Arrays.stream(method.getParameterTypes())
                .limit(KotlinMethods.parametersOf(method))
                .map(Class::getSimpleName)
                .collect(Collectors.joining(", "));
        return method.getDeclaringClass().getName() + "." + KotlinMethods.nameOf(method) + "(" + parameters + ")";
    }

    /** The class and the method without more, as a tag of a meter. */
    public static String tag(Method method) {
        return method.getDeclaringClass().getSimpleName() + "." + method.getName();
    }

    public static String parameter(Method method, int index) {
        Parameter parameter = method.getParameters()[index];
        String type = parameter.getType().getSimpleName();
        return parameter.isNamePresent()
                ? "parameter '" + parameter.getName() + "' (" + type + ")"
                : "parameter " + (index + 1) + " (" + type + ")";
    }
}
