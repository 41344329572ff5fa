package io.distributionlock.integration;

import io.distributionlock.DistributedLock;
import io.distributionlock.LockTemplate;
import java.util.Objects;
import org.springframework.integration.support.locks.LockRegistry;
import org.springframework.util.ClassUtils;

/**
 * The locks of this library for code that is written against Spring Integration's {@link LockRegistry}. Thread-safe.
 *
 * <p>The key's text is the name of the lock, so that {@code obtain("updateOrderStatus:A1001")} and an annotated method with that
 * name exclude each other. A lock belongs to the thread that took it, is renewed until it is unlocked, and throws
 * {@link io.distributionlock.LockBackendException} when the backend fails.
 *
 * <p>One class for Spring Integration 6 and 7: the type parameter that the interface has since 7 is not there in compiled code.
 */
@SuppressWarnings("rawtypes") // since Spring Integration 7
public final class DistributionLockRegistry implements LockRegistry {

    private final LockTemplate template;

    /** A registry whose locks are those of the template. */
    public DistributionLockRegistry(LockTemplate template) {
        this.template = Objects.requireNonNull(template, "template");
    }

    /**
     * The lock of this name; costs no command. Two keys with the same text are the same lock.
     *
     * @throws IllegalArgumentException if the key is {@code null}, blank, or of a class without {@code toString()}
     */
    @Override
    public DistributedLock obtain(Object lockKey) {
        if (lockKey == null) {
            throw new IllegalArgumentException("The lock key is null: give it a text that says what is locked.");
        }
        if (ClassUtils.getMethod(lockKey.getClass(), "toString").getDeclaringClass() == Object.class) {
            throw new IllegalArgumentException(
                    "The lock key is a " + lockKey.getClass().getName()
                            + ", which has no toString(), so that every process would lock something else. Use a text.");
        }
        return template.lock(lockKey.toString());
    }
}
