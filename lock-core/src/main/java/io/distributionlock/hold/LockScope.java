package io.distributionlock.hold;

import io.distributionlock.Lease;
import io.distributionlock.Lease.LossReason;
import io.distributionlock.LockLostException;
import io.distributionlock.LockTemplate;
import io.distributionlock.MultiLock;
import io.distributionlock.internal.Internal;
import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;

/**
 * Connects work that holds locks with the transaction around it, and reports its progress and losses. {@link LockTemplate#execute},
 * {@code tryExecute}, {@link MultiLock} and annotated methods use it. A plain {@link LockTemplate} has {@link #NONE}; the
 * auto-configuration supplies one that knows Spring's transactions. Implementations are thread-safe.
 *
 * @hidden
 */
@Internal
public interface LockScope {

    /** Knows no transactions and reports no losses beyond the log. */
    LockScope NONE = work -> null;

    /** Has this scope connect the work of a template with transactions. */
    default LockTemplate.Builder applyTo(LockTemplate.Builder template) {
        return new TemplateProvider(this).applyTo(template);
    }

    /**
     * Returns the transaction of the calling thread that must end before the locks of this work are released. Called on the
     * caller's thread, before any lock is requested.
     *
     * @return {@code null} if the locks are released when the work ends
     * @throws IllegalStateException if the work may not acquire locks inside this transaction
     */
    @Nullable
    EnclosingTransaction enclosingTransaction(Work work);

    /**
     * Whether locks of this work are kept until the end of a transaction that is not bound to a thread, such as a reactive one.
     * Called when there is one, before any lock is requested.
     *
     * @throws IllegalStateException if the work may not acquire locks inside this transaction
     */
    default boolean joinsUnboundTransaction(Work work) {
        return false;
    }

    /**
     * The locks are held, and their work is about to begin on the calling thread; may block.
     *
     * @throws LockLostException if another holder has overtaken this one; the work does not run
     * @throws IllegalStateException if the work cannot be guarded as its requests ask
     */
    default void beforeWork(HeldLocks locks) {
        if (locks.isFenced()) {
            requireDatabase();
        }
    }

    /** The work has ended without an exception, on the thread where it began; must not throw. */
    default void afterWork(HeldLocks locks) {}

    /**
     * Checks whether commits can be guarded in a database; may create the table for it.
     *
     * @throws IllegalStateException if not; it says what to do
     */
    default void requireDatabase() {
        throw new IllegalStateException(
                "CommitGuard.DATABASE needs a LockTemplate that Spring Boot configures, and lock-jdbc, spring-jdbc and"
                        + " spring-tx on the class path.");
    }

    /** A lease was lost before its work ended. Called once per lease, on any thread; must not block. */
    default void lost(HeldLocks locks, Lease lease, LossReason reason) {}

    /** A lease that guards no work of this library was lost before its release. Called once, on any thread; must not block. */
    default void lost(Lease lease) {}

    /** Work that runs while locks are held. */
    @FunctionalInterface
    interface Work {

        /** The name of the work in messages, such as {@code OrderService.update(String)}. */
        String describe();

        /** The annotated method that is the work; {@code null} if it is code that locks itself. */
        default @Nullable Method javaMethod() {
            return null;
        }
    }

    /** A transaction around the work, which keeps the locks until it ends. Thread-safe. */
    @FunctionalInterface
    interface EnclosingTransaction {

        /**
         * Keeps the locks until this transaction ends, by {@link HeldLocks#retain()} and later {@link HeldLocks#release()}.
         * Does nothing if it has already ended.
         */
        void keep(HeldLocks locks);
    }
}
