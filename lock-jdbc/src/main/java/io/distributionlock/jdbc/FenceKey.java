package io.distributionlock.jdbc;

import io.distributionlock.internal.Sha256;
import java.util.regex.Pattern;

/**
 * The key of a lock's row. Databases differ in which texts are equal: many ignore case or spaces at the end, some know no empty text. So
 * only a short name of plain characters stands as it is; any other keeps a beginning that people recognize, and has a digest.
 */
final class FenceKey {

    /** The length of the column in the schemas. */
    static final int MAX_LENGTH = 150;

    private static final Pattern PLAIN = Pattern.compile("[a-z0-9:._/-]{1," + MAX_LENGTH + "}");
    private static final Pattern UNLIKE = Pattern.compile("[^a-z0-9:._/-]");

    /** Stands in no plain name, so none looks as if it had a digest. */
    private static final char BEFORE_DIGEST = '~';

    private FenceKey() {}

    static String of(String lockName) {
        if (PLAIN.matcher(lockName).matches()) {
            return lockName;
        }
        String digest = Sha256.of(lockName);
        String readable = lockName.substring(0, Math.min(lockName.length(), MAX_LENGTH - 1 - digest.length()));
        return UNLIKE.matcher(readable).replaceAll("_") + BEFORE_DIGEST + digest;
    }
}
