package io.distributionlock.annotation;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Runs a scheduled method only on the leader; the other instances skip it. Costs no command. The method returns {@code void}.
 *
 * <pre>{@code
 * @Scheduled(fixedDelay = 1_000)
 * @LeaderOnly("outbox")
 * public void publishOutbox() { … }
 * }</pre>
 *
 * <p>The leader is asked once, when the method is called. A run that outlasts the term is not ended: keep runs short, or have what
 * they write to check the fencing token of the term.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.ANNOTATION_TYPE})
public @interface LeaderOnly {

    /**
     * The name of a {@code LeaderElection} bean, as in {@code distribution-lock.leader.elections}. May contain placeholders. Startup
     * fails if there is none.
     */
    String value();
}
