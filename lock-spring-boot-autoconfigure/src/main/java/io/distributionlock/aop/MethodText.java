package io.distributionlock.aop;

import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.util.Arrays;
import java.util.stream.Collectors;

/** Names methods and parameters in messages. */
final class MethodText {

    private MethodText() {}

    static String of(Method method) {
        String parameters = Arrays.stream(method.getParameterTypes())
                .map(Class::getSimpleName)
                .collect(Collectors.joining(", "));
        return method.getDeclaringClass().getName() + "." + method.getName() + "(" + parameters + ")";
    }

    static String parameter(Method method, int index) {
        Parameter parameter = method.getParameters()[index];
        String type = parameter.getType().getSimpleName();
        return parameter.isNamePresent()
                ? "parameter '" + parameter.getName() + "' (" + type + ")"
                : "parameter " + (index + 1) + " (" + type + ")";
    }
}
