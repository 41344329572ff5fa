package io.distributionlock.aop;

import io.distributionlock.LockRequest;
import io.distributionlock.LockTemplate;
import io.distributionlock.annotation.DistributionLock;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.List;
import org.springframework.core.ResolvableType;

/** Everything about a locked method that does not change from call to call. */
final class LockedMethod {

    private static final long UNSET = -1;

    private final LockDeclaration declaration;
    private final ResolvableType returnType;
    private final List<LockProblem> problems;

    LockedMethod(LockDeclaration declaration, List<LockProblem> problems) {
        this.declaration = declaration;
        this.returnType = ResolvableType.forMethodReturnType(declaration.method(), declaration.targetClass());
        this.problems = List.copyOf(problems);
    }

    LockDeclaration declaration() {
        return declaration;
    }

    Method method() {
        return declaration.method();
    }

    ResolvableType returnType() {
        return returnType;
    }

    List<LockProblem> problems() {
        return problems;
    }

    /** What is asked of the backend for a name; what the annotation leaves open comes from the template's defaults. */
    LockRequest request(LockTemplate template, String name) {
        DistributionLock annotation = declaration.annotation();
        LockRequest.Builder request = template.request(name);
        if (annotation.tryLockTime() != UNSET) {
            request.tryLockTime(waitOf(annotation.tryLockTime()));
        }
        if (annotation.holdLockTime() != UNSET) {
            request.holdLockTime(Duration.ofMillis(annotation.holdLockTime()));
        }
        return request.build();
    }

    private static Duration waitOf(long milliseconds) {
        Duration wait = Duration.ofMillis(milliseconds);
        return wait.compareTo(LockRequest.FOREVER) > 0 ? LockRequest.FOREVER : wait;
    }
}
