package io.distributionlock.key;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Finds identity hash codes in the text of an object, such as {@link Object#toString()} prints for an array in a record: they
 * differ for equal values. Takes linear time, because the text may be a user's.
 */
final class IdentityText {

    /** An e-mail address goes on with a dot and its domain. */
    private static final Pattern HASH = Pattern.compile("@[0-9a-f]{1,8}(?!\\.?[0-9A-Za-z])");

    private IdentityText() {}

    static boolean isIn(String text) {
        Matcher hash = HASH.matcher(text);
        while (hash.find()) {
            if (isPrecededByType(text, hash.start())) {
                return true;
            }
        }
        return false;
    }

    /** {@code [I}, {@code [Ljava.lang.String;} or {@code com.acme.Order}; the names of classes begin with a capital or a dollar. */
    private static boolean isPrecededByType(String text, int at) {
        boolean isObjects = at > 0 && text.charAt(at - 1) == ';';
        int end = isObjects ? at - 1 : at;
        int start = end;
        while (start > 0 && isPartOfName(text.charAt(start - 1))) {
            start--;
        }
        String name = text.substring(start, end);
        if (start > 0 && text.charAt(start - 1) == '[') {
            return isObjects ? name.startsWith("L") : name.matches("[ZBCSIJFD]");
        }
        int dot = name.lastIndexOf('.');
        char initial = dot > 0 && dot + 1 < name.length() ? name.charAt(dot + 1) : ' ';
        return Character.isUpperCase(initial) || initial == '$';
    }

    private static boolean isPartOfName(char c) {
        return Character.isJavaIdentifierPart(c) || c == '.' || c == '/';
    }
}
