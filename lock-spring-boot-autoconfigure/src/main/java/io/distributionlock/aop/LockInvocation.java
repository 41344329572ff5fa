package io.distributionlock.aop;

import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One call of a locked method, as a {@link LockKeyResolver} sees it.
 *
 * @param declaration the lock and the method that it stands on
 * @param target the object whose method is called
 * @param arguments what it is called with
 */
public record LockInvocation(
        LockDeclaration declaration, @Nullable Object target, List<@Nullable Object> arguments) {

    public LockInvocation {
        arguments = Collections.unmodifiableList(arguments);
    }
}
