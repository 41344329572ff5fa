package io.distributionlock.transaction;

import io.distributionlock.internal.Internal;
import org.jspecify.annotations.Nullable;
import org.springframework.transaction.TransactionManager;

/**
 * Keeps, in a database, a row for each lock that says which holder has announced itself last. A holder announces itself before it reads,
 * and looks at the row before it commits: whoever was overtaken finds another holder there, and rolls back. Thread-safe.
 *
 * <p>The order of the announcements decides, not that of the tokens. Holders are told apart by an id that is made for each announcement,
 * since tokens may be equal: two masters of a split may draw the same one.
 *
 * @hidden
 */
@Internal
public interface CommitFence {

    /**
     * The row of a lock.
     *
     * @param token the fencing token of the holder
     * @param holder the id of its announcement
     */
    record Row(long token, String holder) {}

    /**
     * Announces a holder, in a transaction of its own, unless the row has a greater token already. Waits while another holder has looked at
     * the row and commits.
     *
     * @param holder was never announced before
     * @return the row as it is now
     * @throws org.springframework.dao.DataAccessException if the database does not do it in time; it may do it later
     */
    Row announce(String lockName, long token, String holder);

    /**
     * Reads the row in the calling thread's transaction, and keeps others from announcing themselves until that has ended. If the database
     * refuses, because the row has changed since a snapshot or for whatever reason, rolls the transaction back and looks again.
     *
     * @param holder who has announced itself
     * @return the row, or {@code null} if it is gone; only one of that holder is kept
     * @throws IllegalStateException if the calling thread has no transaction in this database
     * @throws org.springframework.dao.DataAccessException if the database refuses although the row is that of the holder, or does not answer
     */
    @Nullable
    Row lock(String lockName, String holder);

    /** Whether the database refuses every write of the calling thread's transaction. Then there is nothing to compare for. */
    boolean refusesWrites();

    /** Knows the databases that transactions of a manager end in. Thread-safe. */
    @FunctionalInterface
    interface Finder {

        /** The fence in the database of this manager's transactions, the same object for each database; {@code null} if it has none. */
        @Nullable
        CommitFence find(TransactionManager manager);
    }
}
