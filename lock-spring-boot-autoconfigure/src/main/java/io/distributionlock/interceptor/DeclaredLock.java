package io.distributionlock.interceptor;

import io.distributionlock.failure.FallbackMethods;
import io.distributionlock.internal.Internal;
import io.distributionlock.key.LockDeclaration;

/**
 * A lock that a method declares, and what has been read from its annotation.
 *
 * @param settings its kind and its times
 * @param fallbacks the methods that answer when it is not acquired
 * @param keyInEnvironment its key as far as an environment variable can hold it
 * @hidden
 */
@Internal
public record DeclaredLock(
        LockDeclaration declaration, LockSettings settings, FallbackMethods fallbacks, String keyInEnvironment) {

    DeclaredLock(LockDeclaration declaration, LockSettings settings, FallbackMethods fallbacks) {
        this(
                declaration,
                settings,
                fallbacks,
                LockOverrides.inEnvironment(declaration.annotation().key()));
    }
}
