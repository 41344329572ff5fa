package io.distributionlock.transaction;

import io.distributionlock.CommitGuard;
import io.distributionlock.Lease;
import io.distributionlock.hold.CurrentLocks;
import io.distributionlock.hold.HeldLocks;
import io.distributionlock.internal.Internal;
import io.distributionlock.internal.MessageText;
import io.distributionlock.transaction.CommitFence.Row;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.ConcurrencyFailureException;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.TransientDataAccessException;
import org.springframework.transaction.CannotCreateTransactionException;
import org.springframework.transaction.ConfigurableTransactionManager;
import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.TransactionManager;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * {@link CommitGuard#DATABASE}: announces each holder in the database before its work reads there, and lets no transaction commit
 * whose lock somebody else has announced since. Thread-safe.
 *
 * @hidden
 */
@Internal
public final class FencedCommits {

    private static final Log log = LogFactory.getLog(FencedCommits.class);

    /** Attached to work in which a transaction has begun. */
    private static final Object TRANSACTION = new Object();

    private static final Comparator<Fenced> BY_NAME =
            Comparator.comparing(fenced -> fenced.place().lockName());

    private final CommitFence.Finder fences;
    private final Supplier<? extends Collection<? extends TransactionManager>> managers;

    /** What is under way between the comparison and the outcome of the commit. */
    private final Map<TransactionExecution, List<Announcement>> committing = new ConcurrentHashMap<>();

    private final Set<Object> warned = ConcurrentHashMap.newKeySet();

    private volatile @Nullable Databases databases;

    /** @param managers all that the application has */
    public FencedCommits(
            CommitFence.Finder fences, Supplier<? extends Collection<? extends TransactionManager>> managers) {
        this.fences = fences;
        this.managers = managers;
    }

    /** @param only where every transaction ends, or {@code null} if there are several such databases */
    private record Databases(@Nullable CommitFence only) {}

    /** A lease in a database. */
    private record Place(CommitFence fence, String lockName, long token) {}

    private record Fenced(HeldLocks locks, Lease lease, Place place) {}

    /** One for each lease in each database: a second would let a transaction commit what it read before it was overtaken. */
    private static final class Announcement {

        final String holder = UUID.randomUUID().toString();

        /** A commit may have happened, or happen still: what is read now may change, so nothing may be written that depends on it. */
        volatile boolean commitUnknown;
    }

    /**
     * Checks whether transactions of this application can be guarded.
     *
     * @throws IllegalStateException if not; it says what to do
     */
    public void requireDatabase() {
        databases();
    }

    private Databases databases() {
        Databases known = databases;
        if (known == null) {
            known = findDatabases();
            databases = known;
        }
        return known;
    }

    private Databases findDatabases() {
        Set<CommitFence> found = new LinkedHashSet<>();
        for (TransactionManager manager : managers.get()) {
            CommitFence fence = fences.find(manager);
            if (fence != null && !(manager instanceof ConfigurableTransactionManager)) {
                throw new IllegalStateException(
                        "Transactions of " + manager.getClass().getName()
                                + " cannot be guarded, because it is no ConfigurableTransactionManager. Let it extend"
                                + " AbstractPlatformTransactionManager, or do without CommitGuard.DATABASE.");
            }
            if (fence != null) {
                found.add(fence);
            }
        }
        if (found.isEmpty()) {
            throw new IllegalStateException(
                    "CommitGuard.DATABASE needs a transaction manager with a JDBC data source, and this application"
                            + " has none. Declare one, or choose CommitGuard.LOCAL or REMOTE.");
        }
        return new Databases(found.size() == 1 ? found.iterator().next() : null);
    }

    /**
     * The locks are held, one of them under this guard, and their work is about to begin on the calling thread. Where the application
     * has one database, they are announced there at once, so that all that the work reads counts; otherwise when a transaction begins.
     *
     * @throws io.distributionlock.LockLostException if another holder has overtaken this one already
     * @throws IllegalStateException if the work cannot be guarded; it says what to do
     */
    public void beforeWork(HeldLocks locks) {
        CommitFence only = databases().only();
        if (TransactionSynchronizationManager.isActualTransactionActive()) {
            requireEnteredAgain(locks);
        } else if (only != null) {
            announce(only);
        }
    }

    /** Inside a transaction, only a lock that was announced before it began can be entered, once more. */
    private static void requireEnteredAgain(HeldLocks locks) {
        for (Lease lease : locks.fenced()) {
            boolean again = CurrentLocks.all().stream()
                    .flatMap(held -> held.attachments().keySet().stream())
                    .anyMatch(key -> key instanceof Place place
                            && place.lockName().equals(lease.name())
                            && place.token() == lease.fencingToken());
            if (!again) {
                throw new IllegalStateException(locks.work().describe() + " acquired lock '"
                        + MessageText.of(lease.name())
                        + "' inside a transaction. With CommitGuard.DATABASE it must be acquired before, because the transaction may"
                        + " have read what another holder has changed since. Put the lock around the transaction.");
            }
        }
    }

    /**
     * Warns, once for each method, of work in which no transaction began: what it has written was committed statement by statement,
     * unguarded.
     */
    public void afterWork(HeldLocks locks) {
        boolean outermost = CurrentLocks.all().stream().noneMatch(held -> held != locks && held.isFenced());
        if (outermost
                && !locks.attachments().containsKey(TRANSACTION)
                && warned.add(Objects.requireNonNullElse(locks.work().javaMethod(), "code"))) {
            log.warn(
                    locks.work().describe()
                            + " ended without a transaction, so CommitGuard.DATABASE guarded nothing. What is written"
                            + " outside of a transaction commits at once: add @Transactional inside the lock. This is said once.");
        }
    }

    /** A transaction of this manager is about to begin under this guard on the calling thread, and has no connection yet. */
    void beforeBegin(TransactionManager manager) {
        CurrentLocks.all().stream()
                .filter(HeldLocks::isFenced)
                .forEach(held -> held.attachments().put(TRANSACTION, true));
        announce(fenceOf(manager));
    }

    private static void announce(CommitFence fence) {
        List<HeldLocks> around = CurrentLocks.all();
        for (Fenced fenced : fencedIn(around, fence)) {
            Announcement known = announcementOf(fenced.place(), around);
            if (known == null) {
                outermost(fenced.place(), around).attachments().put(fenced.place(), announce(fenced));
            } else {
                requireKnownCommits(known, fenced);
            }
        }
    }

    private static Announcement announce(Fenced fenced) {
        Place place = fenced.place();
        Announcement announcement = new Announcement();
        Row present;
        try {
            present = place.fence().announce(place.lockName(), place.token(), announcement.holder);
        } catch (DataAccessException e) {
            throw new CannotCreateTransactionException(
                    "Lock '" + MessageText.of(place.lockName())
                            + "' could not be announced in the database, so its work does not run. See the cause: another holder may commit"
                            + " for longer than distribution-lock.jdbc.lock-timeout, or the table of distribution-lock.jdbc.table may be"
                            + " missing; see distribution-lock.jdbc.initialize-schema.",
                    e);
        }
        if (!present.holder().equals(announcement.holder)) {
            throw fenced.locks().overtaken(fenced.lease(), OptionalLong.of(present.token()));
        }
        return announcement;
    }

    private static @Nullable Announcement announcementOf(Place place, Collection<HeldLocks> around) {
        for (HeldLocks held : around) {
            if (held.attachments().get(place) instanceof Announcement known) {
                return known;
            }
        }
        return null;
    }

    /** The lease lasts as long as the outermost work that holds it, however often it is entered again. */
    private static HeldLocks outermost(Place place, List<HeldLocks> around) {
        HeldLocks outermost = null;
        for (HeldLocks held : around) {
            for (Lease lease : held.leases()) {
                if (lease.name().equals(place.lockName())
                        && lease.knownFencingToken().equals(OptionalLong.of(place.token()))) {
                    outermost = held;
                }
            }
        }
        return Objects.requireNonNull(outermost, "the lock that is announced is held");
    }

    private static void requireKnownCommits(Announcement announcement, Fenced fenced) {
        if (announcement.commitUnknown) {
            throw new IllegalStateException("Nobody knows whether an earlier transaction under lock '"
                    + MessageText.of(fenced.place().lockName())
                    + "' has committed, or will, so no other may begin or commit under the same acquisition. Let the work fail: the lock can"
                    + " be acquired again.");
        }
    }

    /**
     * The calling thread's transaction is about to commit. Keeps others from announcing themselves until it has ended.
     *
     * @param all the locks that it depends on
     * @throws io.distributionlock.LockLostException if another holder has overtaken this one; the transaction must roll back
     * @throws DataAccessException if the database does not tell, and then too; never a {@code TransactionException}, after which a
     *     manager would not roll back
     */
    void beforeCommit(TransactionManager manager, TransactionExecution transaction, Set<HeldLocks> all) {
        // The end of a savepoint is no commit.
        if (!transaction.isNewTransaction() || transaction.isNested()) {
            return;
        }
        CommitFence fence = fenceOf(manager);
        if (transaction.isReadOnly() && fence.refusesWrites()) {
            return;
        }
        flush(transaction);
        Map<Place, Announcement> compared = new LinkedHashMap<>();
        for (Fenced fenced : fencedIn(all, fence)) {
            if (!compared.containsKey(fenced.place())) {
                compared.put(fenced.place(), compare(fenced, all));
            }
        }
        committing.put(transaction, List.copyOf(compared.values()));
    }

    /** JPA would write after the comparison, and wait for the rows of others while these wait for that of the lock. */
    private static void flush(TransactionExecution transaction) {
        if (transaction instanceof TransactionStatus status && !transaction.isReadOnly()) {
            status.flush();
        }
    }

    private static Announcement compare(Fenced fenced, Set<HeldLocks> all) {
        Place place = fenced.place();
        Announcement announcement = announcementOf(place, all);
        if (announcement == null) {
            throw new IllegalStateException("Lock '" + MessageText.of(place.lockName())
                    + "' was not announced before the transaction began, so CommitGuard.DATABASE does not let it commit. Put the lock"
                    + " around the transaction.");
        }
        requireKnownCommits(announcement, fenced);
        Row present = lock(place, announcement);
        if (present == null || !present.holder().equals(announcement.holder)) {
            throw fenced.locks()
                    .overtaken(
                            fenced.lease(), present == null ? OptionalLong.empty() : OptionalLong.of(present.token()));
        }
        return announcement;
    }

    private static @Nullable Row lock(Place place, Announcement announcement) {
        try {
            return place.fence().lock(place.lockName(), announcement.holder);
        } catch (TransientDataAccessException e) {
            throw new ConcurrencyFailureException(
                    "Lock '" + MessageText.of(place.lockName())
                            + "' could not be compared in the database, so the transaction is rolled back. Nothing of it is committed: repeat"
                            + " the call, unless an earlier one of it is.",
                    e);
        }
    }

    /** @param committed whether that is certain */
    void afterCompletion(TransactionExecution transaction, boolean committed) {
        List<Announcement> compared = committing.remove(transaction);
        if (compared != null && !committed) {
            compared.forEach(announcement -> announcement.commitUnknown = true);
        }
    }

    /** In the order of their names: two transactions with several locks do not wait for each other. */
    private static List<Fenced> fencedIn(Collection<HeldLocks> around, CommitFence fence) {
        List<Fenced> fenced = new ArrayList<>();
        for (HeldLocks held : around) {
            for (Lease lease : held.fenced()) {
                fenced.add(new Fenced(held, lease, new Place(fence, lease.name(), lease.fencingToken())));
            }
        }
        fenced.sort(BY_NAME);
        return fenced;
    }

    private CommitFence fenceOf(TransactionManager manager) {
        CommitFence fence = fences.find(manager);
        if (fence == null) {
            throw new IllegalStateException(
                    "A transaction of " + manager.getClass().getSimpleName()
                            + " began in work under CommitGuard.DATABASE, but it ends in no database that lock-jdbc knows. Begin it outside of the lock,"
                            + " or choose CommitGuard.LOCAL or REMOTE.");
        }
        return fence;
    }
}
