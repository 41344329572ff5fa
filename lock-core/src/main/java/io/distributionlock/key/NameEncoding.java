package io.distributionlock.key;

import io.distributionlock.internal.Sha256;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/**
 * How values stand in a name, so that different values never make the same name.
 *
 * <p>In values, the first character of the delimiter is escaped, and so is the escape character. In the joined name, that
 * character therefore only separates values. Ordinary values stay readable. The key is taken literally.
 *
 * <p>A name of more than 512 bytes is cut, and ends in the SHA-256 digest of the whole name. So does a name that merely looks
 * cut, so that it cannot collide with one that is.
 */
final class NameEncoding {

    static final int MAX_NAME_BYTES = 512;

    private static final String DIGEST_MARK = "~sha256:";
    private static final int DIGEST_LENGTH = DIGEST_MARK.length() + 64;

    private static final char ESCAPE = '%';
    private static final HexFormat DIGITS = HexFormat.of().withUpperCase();

    private NameEncoding() {}

    /** Whether what is escaped never contains the first character of the delimiter. */
    static boolean canEscape(String delimiter) {
        char boundary = delimiter.charAt(0);
        return boundary != ESCAPE && !Character.isLetterOrDigit(boundary) && !Character.isSurrogate(boundary);
    }

    /** Appends a value, escaped so that it contains no boundary. */
    static void append(StringBuilder name, String value, String delimiter) {
        char boundary = delimiter.charAt(0);
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (Character.isHighSurrogate(c)
                    && i + 1 < value.length()
                    && Character.isLowSurrogate(value.charAt(i + 1))) {
                name.append(c).append(value.charAt(++i));
            } else if (c == boundary || c == ESCAPE || Character.isSurrogate(c)) {
                escape(name, c);
            } else {
                name.append(c);
            }
        }
    }

    /** Two digits for ASCII, as in a URL; {@code u} and four digits for everything else. */
    private static void escape(StringBuilder name, char c) {
        name.append(ESCAPE);
        if (c < 0x80) {
            DIGITS.toHexDigits(name, (byte) c);
        } else {
            name.append('u').append(DIGITS.toHexDigits(c));
        }
    }

    /** The name itself if it is short enough and does not look cut, otherwise its beginning and its digest. */
    static String shortened(String name) {
        if (name.length() <= MAX_NAME_BYTES / 3) {
            return name;
        }
        byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
        if (bytes.length <= MAX_NAME_BYTES && !endsInDigest(name)) {
            return name;
        }
        int end = Math.min(bytes.length - DIGEST_LENGTH, MAX_NAME_BYTES - DIGEST_LENGTH);
        while (isInsideCharacter(bytes[end])) {
            end--;
        }
        return new String(bytes, 0, end, StandardCharsets.UTF_8) + DIGEST_MARK + Sha256.of(name);
    }

    private static boolean endsInDigest(String name) {
        return name.startsWith(DIGEST_MARK, name.length() - DIGEST_LENGTH);
    }

    private static boolean isInsideCharacter(byte b) {
        return (b & 0b1100_0000) == 0b1000_0000;
    }
}
