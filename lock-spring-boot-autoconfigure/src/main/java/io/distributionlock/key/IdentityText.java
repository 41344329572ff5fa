package io.distributionlock.key;

import org.jspecify.annotations.Nullable;
import org.springframework.util.ClassUtils;

/**
 * Finds identity hash codes in the text of an object, such as {@link Object#toString()} prints for an array in a record: they
 * differ for equal values.
 *
 * <p>The text may be a user's. It is read once, from left to right; of the names that may be classes, only the first are looked up.
 */
final class IdentityText {

    private static final int LONGEST_HASH = 8;
    private static final int LONGEST_CLASS_NAME = 512;
    private static final int MOST_LOOKUPS = 8;

    private final String text;
    private final ClassLoader loader;
    private int lookups;

    private IdentityText(String text, ClassLoader loader) {
        this.text = text;
        this.loader = loader;
    }

    static boolean isIn(String text, @Nullable ClassLoader loader) {
        ClassLoader present = loader == null ? ClassUtils.getDefaultClassLoader() : loader;
        return new IdentityText(text, present == null ? ClassLoader.getSystemClassLoader() : present).isPresent();
    }

    private boolean isPresent() {
        for (int at = text.indexOf('@'); at >= 0; at = text.indexOf('@', at + 1)) {
            if (isFollowedByHash(at) && isPrecededByType(at)) {
                return true;
            }
        }
        return false;
    }

    private boolean isFollowedByHash(int at) {
        int end = at + 1;
        while (end < text.length() && end <= at + LONGEST_HASH && isHexDigit(text.charAt(end))) {
            end++;
        }
        return end > at + 1 && (end == text.length() || !isAsciiLetterOrDigit(text.charAt(end)));
    }

    private boolean isPrecededByType(int at) {
        boolean objects = at > 0 && text.charAt(at - 1) == ';';
        int end = objects ? at - 1 : at;
        int start = end;
        while (start > 0 && isPartOfName(text.charAt(start - 1))) {
            start--;
        }
        boolean array = start > 0 && text.charAt(start - 1) == '[';
        if (objects) {
            return array && end - start > 1 && text.charAt(start) == 'L';
        }
        if (array && end - start == 1 && "ZBCSIJFD".indexOf(text.charAt(start)) >= 0) {
            return true;
        }
        String name = text.substring(start, end);
        return name.contains("$$Lambda") || namesClass(name);
    }

    /**
     * An e-mail address looks similar, but does not begin with the name of a class. Looked for as a file: to ask a class loader for
     * a class costs it memory for good, even if there is none.
     */
    private boolean namesClass(String name) {
        if (name.indexOf('.') < 0 || name.length() > LONGEST_CLASS_NAME || lookups == MOST_LOOKUPS) {
            return false;
        }
        lookups++;
        // Proxies and other classes made at runtime have no file.
        return name.contains("$$")
                || name.contains("$Proxy")
                || loader.getResource(name.replace('.', '/') + ".class") != null;
    }

    private static boolean isPartOfName(char c) {
        return Character.isJavaIdentifierPart(c) || c == '.' || c == '/';
    }

    private static boolean isHexDigit(char c) {
        return c >= '0' && c <= '9' || c >= 'a' && c <= 'f';
    }

    private static boolean isAsciiLetterOrDigit(char c) {
        return c < 0x80 && Character.isLetterOrDigit(c);
    }
}
