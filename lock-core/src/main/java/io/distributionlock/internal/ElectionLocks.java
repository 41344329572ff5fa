package io.distributionlock.internal;

/**
 * The locks of elections. No annotation can name one, whatever its values are.
 *
 * @hidden
 */
@Internal
public final class ElectionLocks {

    /** With what their names begin. */
    public static final String PREFIX = "leader:";

    private ElectionLocks() {}
}
