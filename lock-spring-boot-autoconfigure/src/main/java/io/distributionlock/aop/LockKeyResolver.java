package io.distributionlock.aop;

import java.util.List;
import java.util.function.UnaryOperator;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;

/**
 * Makes the name of a lock from a call. Declare a bean of this type to replace the standard one. Called once per call, on the
 * caller's thread, before the lock is asked for; must be thread-safe.
 */
@FunctionalInterface
public interface LockKeyResolver {

    /**
     * The names of the locks that this call needs: usually one, several if all of them are to be held, and none if the call
     * needs no lock.
     *
     * @throws LockKeyException if the arguments make no name; the method does not run then
     */
    List<String> resolve(LockInvocation invocation);

    /** The resolver that is used when there is no bean of this type; for those who want to change a little. */
    static LockKeyResolver standard(ConfigurableBeanFactory beanFactory) {
        return new StandardLockKeyResolver(beanFactory);
    }

    /** This resolver with its names changed, such as by a prefix for the tenant; checks what this one checks. */
    default LockKeyResolver renaming(UnaryOperator<String> change) {
        return new RenamingLockKeyResolver(this, change);
    }

    /**
     * Says at start-up what is wrong with a declaration as far as names are concerned; nothing by default, for only the resolver
     * knows how it reads a key. What does not depend on names is checked in any case.
     */
    default List<LockProblem> check(LockDeclaration declaration) {
        return List.of();
    }
}
