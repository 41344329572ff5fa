package io.distributionlock.integration;

import io.distributionlock.DistributedLock;
import io.distributionlock.LockTemplate;
import io.distributionlock.MessageText;
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
 * name exclude each other. A lock belongs to the thread that took it, is renewed until it is unlocked, and throws
 * {@link io.distributionlock.LockBackendException} when the backend fails. Who locks again what he holds asks the backend by
 * that, which costs one command; what follows a loss, {@link DistributedLock} says.
 *
 * <p>One class for Spring Integration 6 and 7: the type parameters that the interfaces have since 7 are not there in compiled
 * code. On 7 the locks are its {@code DistributedLock}s too, whose time to live is a hold time that is not renewed.
 */
@SuppressWarnings("rawtypes") // since Spring Integration 7
public final class DistributionLockRegistry implements RenewableLockRegistry, ExpirableLockRegistry {

    private final LockTemplate template;

    /** By their names, which live as long as the lock: what nobody uses any longer goes by itself. */
    private final Map<String, WeakReference<DistributedLock>> locks = new WeakHashMap<>();

    /** A registry whose locks are those of the template. */
    public DistributionLockRegistry(LockTemplate template) {
        this.template = Objects.requireNonNull(template, "template");
    }

    /**
     * The lock of this name, the same object for as long as anybody refers to it; costs no command. Two keys with the same text
     * are the same lock.
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
            DistributedLock lock = SpringIntegration7.asItsOwn(new RegistryLock(template.lock(name)));
            // The key has to be the very text that the lock refers to.
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
            throw new IllegalArgumentException("The lock key is null: give it a text that says what is locked.");
        }
        if (ClassUtils.getMethod(lockKey.getClass(), "toString").getDeclaringClass() == Object.class) {
            throw new IllegalArgumentException(
                    "The lock key is a " + lockKey.getClass().getName()
                            + ", which has no toString(), so that every process would lock something else. Use a"
                            + " text.");
        }
        return lockKey.toString();
    }

    /**
     * Makes the lock last for at least the length of a renewed lease from now. What {@code lock()} took needs it not: it is renewed
     * without.
     *
     * @throws IllegalStateException if the calling thread does not hold the lock, or the backend does not confirm that
     */
    @Override
    public void renewLock(Object lockKey) {
        renewLock(lockKey, template.request(nameOf(lockKey)).build().holdLockTime());
    }

    /**
     * Makes the lock last for at least this long from now; never shortens it. The method of Spring Integration 7.
     *
     * @throws IllegalStateException if the calling thread does not hold the lock, or the backend does not confirm that
     */
    public void renewLock(Object lockKey, Duration ttl) {
        DistributedLock lock = obtain(lockKey);
        if (!lock.extend(ttl)) {
            throw new IllegalStateException("Lock '" + MessageText.of(lock.name()) + "' was not renewed: thread '"
                    + Thread.currentThread().getName() + "' does not hold it through this registry, or has lost it.");
        }
    }

    /** Does nothing: the registry keeps no lock that nobody uses. */
    @Override
    public void expireUnusedOlderThan(long age) {}
}
