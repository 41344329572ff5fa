package io.distributionlock.interceptor;

import io.distributionlock.Lease;
import io.distributionlock.LockKind;
import io.distributionlock.LockRequest;
import io.distributionlock.LockTemplate;
import io.distributionlock.annotation.FencingToken;
import io.distributionlock.annotation.LockProblem;
import io.distributionlock.reflect.MethodText;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.core.annotation.AnnotatedElementUtils;

/**
 * A lease or fencing token parameter, filled in if the caller leaves it open.
 *
 * @param index the position of the parameter
 * @param token whether it receives the fencing token; otherwise the lease
 */
record LeaseParameter(int index, boolean token) {

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
                found.add(new LeaseParameter(i, token));
            }
        }
        return List.copyOf(found);
    }

    /** The lease that the caller has passed here, if it is a valid one of this lock and template, and of a sufficient kind. */
    @Nullable
    Lease passed(LockRequest request, LockTemplate template, @Nullable Object[] arguments) {
        return arguments[index] instanceof Lease lease
                        && lease.name().equals(request.name())
                        && lease.backend() == template.executor().backend()
                        && (lease.kind() == LockKind.PERMIT) == (request.kind() == LockKind.PERMIT)
                        && (lease.kind().isExclusive() || !request.kind().isExclusive())
                        && lease.isValid()
                ? lease
                : null;
    }

    /** Whether it receives a fencing token that the caller has left open. */
    boolean wantsToken(@Nullable Object[] arguments) {
        return token && (arguments[index] == null || Long.valueOf(0).equals(arguments[index]));
    }

    void fill(@Nullable Object[] arguments, Lease lease) {
        if (wantsToken(arguments)) {
            arguments[index] = lease.fencingToken();
        } else if (!token && arguments[index] == null) {
            arguments[index] = lease;
        }
    }
}
