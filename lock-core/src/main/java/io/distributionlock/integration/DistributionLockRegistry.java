package io.distributionlock.integration;

import io.distributionlock.DistributedLock;
import io.distributionlock.LockTemplate;
import io.distributionlock.internal.MessageText;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.WeakHashMap;
import org.jspecify.annotations.Nullable;
import org.springframework.integration.support.locks.ExpirableLockRegistry;
import org.springframework.integration.support.locks.RenewableLockRegistry;
import org.springframework.util.ClassUtils;

/**
 * The locks of this library for code that is written against Spring Integration's
 * {@link org.springframework.integration.support.locks.LockRegistry}. Thread-safe.
 *
 * <p>The key's text is the name of the lock, so that {@code obtain("updateOrderStatus:A1001")} and an annotated method with that
 * name exclude each other. A lock belongs to the thread that acquired it, is renewed until it is unlocked, and throws
 * {@link io.distributionlock.LockBackendException} if the backend fails. Locking again confirms the hold with the backend, at the
 * cost of one command; see {@link DistributedLock} for what follows a loss.
 *
 * <p>Works with Spring Integration 6 and 7: the type parameters that its interfaces gained in 7 are erased. With 7, the locks also
 * implement its {@code DistributedLock}, whose time to live is a fixed hold time.
 */
@SuppressWarnings("rawtypes") // since Spring Integration 7
public final class DistributionLockRegistry implements RenewableLockRegistry, ExpirableLockRegistry {

    private final LockTemplate template;

    /** By name. Each key lives as long as its lock, so unused locks are garbage collected. */
    private final Map<String, WeakReference<DistributedLock>> locks = new WeakHashMap<>();

    /** A registry of the locks of this template. */
    public DistributionLockRegistry(LockTemplate template) {
        this.template = Objects.requireNonNull(template, "template");
    }

    /**
     * The lock of this name, the same object for as long as it is referenced; costs no command. Keys with the same text are the
     * same lock.
     *
     * @throws IllegalArgumentException if the key is {@code null}, blank, or of a class without {@code toString()}
     */
    @Override
    public DistributedLock obtain(Object lockKey) {
        String name = nameOf(lockKey);
        synchronized (locks) {
            DistributedLock known = known(name);
            if (known != null) {
                return known;
            }
            DistributedLock lock = RegistryLock.of(template.lock(name));
            // The key must be the same String object that the lock references.
            locks.remove(name);
            locks.put(lock.name(), new WeakReference<>(lock));
            return lock;
        }
    }

    private @Nullable DistributedLock known(String name) {
        WeakReference<DistributedLock> reference = locks.get(name);
        return reference == null ? null : reference.get();
    }

    private static String nameOf(Object lockKey) {
        if (lockKey == null) {
            throw new IllegalArgumentException("The lock key is null. Use a text that says what is locked.");
        }
        if (ClassUtils.getMethod(lockKey.getClass(), "toString").getDeclaringClass() == Object.class) {
            throw new IllegalArgumentException(
                    "The lock key is a " + lockKey.getClass().getName()
                            + ", which does not override toString(), so every process would lock another name. Use"
                            + " a text.");
        }
        return lockKey.toString();
    }

    /**
     * Extends the lock to at least the length of a renewed lease from now. Locks acquired by {@code lock()} do not need this: they
     * are renewed automatically.
     *
     * @throws IllegalStateException if the calling thread does not hold the lock, or the backend does not confirm it
     */
    @Override
    public void renewLock(Object lockKey) {
        renewLock(lockKey, template.request(nameOf(lockKey)).build().leaseTime());
    }

    /**
     * Extends the lock to at least this long from now; never shortens it. Implements the method of Spring Integration 7.
     *
     * @throws IllegalStateException if the calling thread does not hold the lock, or the backend does not confirm it
     */
    public void renewLock(Object lockKey, Duration ttl) {
        DistributedLock lock = obtain(lockKey);
        if (!lock.extend(ttl)) {
            throw new IllegalStateException("Lock '" + MessageText.of(lock.name()) + "' was not renewed: thread '"
                    + Thread.currentThread().getName() + "' does not hold it through this registry, or has lost it.");
        }
    }

    /** Does nothing: the registry keeps no unused lock. */
    @Override
    public void expireUnusedOlderThan(long age) {}
}
