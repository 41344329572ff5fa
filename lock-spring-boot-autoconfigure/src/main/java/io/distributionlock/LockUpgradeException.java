package io.distributionlock;

import io.distributionlock.internal.MessageText;

/**
 * An owner that holds a lock for reading requested it exclusively. This is a programming error: two readers that upgrade would wait
 * for each other forever.
 */
public class LockUpgradeException extends IllegalStateException {

    private static final long serialVersionUID = 1L;

    private final String name;

    public LockUpgradeException(String name, LockKind requested) {
        super("Lock '" + MessageText.of(name) + "' is held for reading by the owner that now requests it as "
                + requested
                + ". Release the read lock first, or acquire the lock as " + LockKind.WRITE
                + " from the start and then read.");
        this.name = name;
    }

    /** The name of the lock. */
    public String name() {
        return name;
    }
}
