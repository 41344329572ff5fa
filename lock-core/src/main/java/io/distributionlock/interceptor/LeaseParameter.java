package io.distributionlock.interceptor;

import io.distributionlock.Lease;
import io.distributionlock.annotation.FencingToken;
import io.distributionlock.annotation.LockProblem;
import io.distributionlock.internal.MethodText;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.core.annotation.AnnotatedElementUtils;

/**
 * A parameter that receives the lease of the call's first lock, or its fencing token. What the caller passes there is ignored: the caller of
 * a controller is its client.
 */
record LeaseParameter(int index, Class<?> type) {

    static List<LeaseParameter> of(List<Method> methodHierarchy, String place, List<LockProblem> problems) {
        List<LeaseParameter> found = new ArrayList<>();
        Method method = methodHierarchy.get(0);
        Class<?>[] types = method.getParameterTypes();
        for (int i = 0; i < types.length; i++) {
            int index = i;
            boolean token = methodHierarchy.stream()
                    .anyMatch(declared ->
                            AnnotatedElementUtils.isAnnotated(declared.getParameters()[index], FencingToken.class));
            if (token && types[i] != long.class && types[i] != Long.class) {
                problems.add(new LockProblem(
                        place + ": @FencingToken is on " + MethodText.parameter(method, i) + ", which is not a number.",
                        "Make the parameter a long or a Long."));
            } else if (token || types[i] == Lease.class) {
                found.add(new LeaseParameter(i, types[i]));
            }
        }
        return List.copyOf(found);
    }

    /** As for a method that runs without its lock: every resource that compares tokens refuses 0. */
    void clear(@Nullable Object[] arguments) {
        arguments[index] = type == long.class ? 0L : null;
    }

    void fill(@Nullable Object[] arguments, Lease lease) {
        if (type == Lease.class) {
            arguments[index] = lease;
        } else {
            arguments[index] = lease.fencingToken();
        }
    }
}
