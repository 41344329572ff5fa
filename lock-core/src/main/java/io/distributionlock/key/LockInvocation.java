package io.distributionlock.key;

import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One call of a locked method, as a {@link LockKeyResolver} sees it.
 *
 * @param declaration the lock and its method
 * @param target the object whose method is called
 * @param arguments the arguments of the call
 */
public record LockInvocation(
        LockDeclaration declaration, @Nullable Object target, List<@Nullable Object> arguments) {

    public LockInvocation {
        arguments = Collections.unmodifiableList(arguments);
    }
}
