package io.distributionlock;

/**
 * An owner that holds a lock for reading asked for it exclusively. That is a mistake in the program and no matter of waiting: two
 * readers that both wait for the other to leave would wait for ever.
 */
public class LockUpgradeException extends IllegalStateException {

    private static final long serialVersionUID = 1L;

    private final String name;

    public LockUpgradeException(String name, LockKind asked) {
        super("Lock '" + MessageText.of(name) + "' is held for reading by the owner that now asks for it as " + asked
                + ". Release the read lock first, or take the lock as " + LockKind.WRITE
                + " from the start and then read.");
        this.name = name;
    }

    /** The name of the lock. */
    public String name() {
        return name;
    }
}
