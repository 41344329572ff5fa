package io.distributionlock.key;

import io.distributionlock.annotation.LockProblem;
import java.util.List;
import java.util.function.UnaryOperator;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;

/**
 * Resolves the lock names of a call. Declare a bean of this type to replace the standard resolver. Called once per call, on the
 * caller's thread, before any lock is acquired. Must be thread-safe.
 */
@FunctionalInterface
public interface LockKeyResolver {

    /**
     * The names of all locks that this call needs: usually one; empty if it needs no lock.
     *
     * @throws LockKeyException if the arguments make no name; the method then does not run
     */
    List<String> resolve(LockInvocation invocation);

    /** The standard resolver, to be wrapped by a resolver that changes only part of what it does. */
    static LockKeyResolver standard(ConfigurableBeanFactory beanFactory) {
        return new StandardLockKeyResolver(beanFactory);
    }

    /** Wraps this resolver to change its names, for example by adding a tenant prefix. Its checks remain the same. */
    default LockKeyResolver renaming(UnaryOperator<String> change) {
        LockKeyResolver original = this;
        return new LockKeyResolver() {

            @Override
            public List<String> resolve(LockInvocation invocation) {
                return original.resolve(invocation).stream()
                        .map(change)
                        .map(NameEncoding::shortened)
                        .toList();
            }

            @Override
            public List<LockProblem> check(LockDeclaration declaration) {
                return original.check(declaration);
            }
        };
    }

    /**
     * Checks at start-up whether names can be made for a declaration. Finds nothing by default: only the resolver knows how it
     * reads a key. Everything else about a declaration is checked independently of the resolver.
     */
    default List<LockProblem> check(LockDeclaration declaration) {
        return List.of();
    }
}
