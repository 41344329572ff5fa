package io.distributionlock.local;

/** Reads the id of a claim: {@code <instance>:<number>}, or {@code <instance>:r<number>} for one that asks to read. */
final class Claims {

    private Claims() {}

    static String instanceOf(String claim) {
        int end = claim.lastIndexOf(':');
        if (end < 0) {
            throw new IllegalArgumentException(
                    "Claim '" + claim + "' names no instance: it has to look like <instance>:<number>.");
        }
        return claim.substring(0, end);
    }

    static boolean isReader(String claim) {
        return claim.startsWith("r", claim.lastIndexOf(':') + 1);
    }
}
