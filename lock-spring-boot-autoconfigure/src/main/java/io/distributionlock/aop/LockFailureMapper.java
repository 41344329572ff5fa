package io.distributionlock.aop;

import org.jspecify.annotations.Nullable;

/**
 * Answers in the application's own type when a lock was not got. Declared as a bean; serves every annotated method that
 * returns {@code R} or a type {@code R<…>}. If several fit, the most specific one answers; one for {@code Object} serves no
 * method.
 *
 * <p>The type {@code R} is read from the bean's definition, so a {@code @Bean} method that returns a lambda must declare it:
 *
 * <pre>{@code
 * @Bean
 * LockFailureMapper<Resp<?>> lockFailureMapper() {
 *     return failure -> Resp.buildFail("Busy, please try again");
 * }
 * }</pre>
 *
 * @param <R> the return type that this mapper answers for
 */
@FunctionalInterface
public interface LockFailureMapper<R> {

    /**
     * What the method returns instead of running. May throw any unchecked exception instead. A value that does not fit the
     * method's return type is reported as an {@link IllegalStateException}.
     */
    @Nullable
    R map(LockFailure failure);
}
