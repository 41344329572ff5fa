package io.distributionlock.internal;

/**
 * Parses claim ids: {@code <instance>:<number>}, {@code <instance>:r<number>} for a reader, or {@code <instance>:p<permits>-<number>}
 * for one of so many permits.
 *
 * @hidden
 */
@Internal
public final class ClaimIds {

    /** Begins what stands in the place of a claim that was released while its lock is kept for a minimum time. */
    public static final String MIN_HOLD = "min-hold:";

    private ClaimIds() {}

    public static String instanceOf(String claim) {
        int end = claim.lastIndexOf(':');
        if (end < 0) {
            throw new IllegalArgumentException(
                    "Claim '" + claim + "' names no instance. The format is <instance>:<number>.");
        }
        return claim.substring(0, end);
    }

    /** Whether an instance has made the claim. Any text may be asked about: a key may have been edited by hand. */
    public static boolean isOf(String instance, String claim) {
        return claim.startsWith(instance + ":");
    }

    public static boolean isReader(String claim) {
        return claim.startsWith("r", startOfNumber(claim));
    }

    /** How many permits there are for the claim; 0 if it asks for a lock. */
    public static int permitsOf(String claim) {
        int start = startOfNumber(claim);
        return claim.startsWith("p", start) ? Integer.parseInt(claim, start + 1, claim.lastIndexOf('-'), 10) : 0;
    }

    private static int startOfNumber(String claim) {
        return claim.lastIndexOf(':') + 1;
    }
}
