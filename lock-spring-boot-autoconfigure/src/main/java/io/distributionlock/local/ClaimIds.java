package io.distributionlock.local;

/** Parses claim ids: {@code <instance>:<number>}, or {@code <instance>:r<number>} for a reader. */
final class ClaimIds {

    private ClaimIds() {}

    static String instanceOf(String claim) {
        int end = claim.lastIndexOf(':');
        if (end < 0) {
            throw new IllegalArgumentException(
                    "Claim '" + claim + "' names no instance. The format is <instance>:<number>.");
        }
        return claim.substring(0, end);
    }

    static boolean isReader(String claim) {
        return claim.startsWith("r", claim.lastIndexOf(':') + 1);
    }
}
