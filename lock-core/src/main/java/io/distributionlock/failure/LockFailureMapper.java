package io.distributionlock.failure;

import org.jspecify.annotations.Nullable;

/**
 * Answers a call that did not acquire its lock with a value of the application's own type. Declare it as a bean; it serves every
 * annotated method that returns {@code R}, a type {@code R<…>} or a subtype of it, also inside an {@code Optional}, {@code
 * ResponseEntity}, {@code CompletableFuture}, {@code Mono} or {@code Flux}. One for {@code Resp<Void>} or {@code Resp<Object>} serves
 * every {@code Resp} that no other mapper serves, since an answer of a busy lock has no data.
 *
 * <p>If several fit, the first in {@code @Order} answers. One for {@code Object} stops the application's start; one that would never
 * answer is reported there.
 *
 * <p>A {@code @Bean} method that returns a lambda must declare the type {@code R}:
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
