package io.distributionlock.key;

import io.distributionlock.annotation.LockProblem;
import java.util.List;
import java.util.function.UnaryOperator;

/** Changes the names of another resolver, and leaves its checks as they are. */
final class RenamingLockKeyResolver implements LockKeyResolver {

    private final LockKeyResolver resolver;
    private final UnaryOperator<String> change;

    RenamingLockKeyResolver(LockKeyResolver resolver, UnaryOperator<String> change) {
        this.resolver = resolver;
        this.change = change;
    }

    @Override
    public List<String> resolve(LockInvocation invocation) {
        return resolver.resolve(invocation).stream()
                .map(change)
                .map(NameEncoding::shortened)
                .toList();
    }

    @Override
    public List<LockProblem> check(LockDeclaration declaration) {
        return resolver.check(declaration);
    }
}
