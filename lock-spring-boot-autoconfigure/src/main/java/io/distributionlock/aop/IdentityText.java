package io.distributionlock.aop;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.util.ClassUtils;

/**
 * Finds in the text of an object what {@link Object#toString()} has printed of something inside it, such as an array in a record:
 * it differs for equal values.
 */
final class IdentityText {

    private static final Pattern ARRAY = Pattern.compile("\\[+([ZBCSIJFD]|L[\\w.$/]+;)@[0-9a-f]{1,8}(?![0-9a-zA-Z])");
    private static final Pattern LAMBDA = Pattern.compile("\\$\\$Lambda[\\w.$/]*@[0-9a-f]{1,8}(?![0-9a-zA-Z])");
    private static final Pattern CLASS = Pattern.compile("([\\w$]+(?:\\.[\\w$]+)+)@[0-9a-f]{1,8}(?![0-9a-zA-Z.])");

    private IdentityText() {}

    static boolean isIn(String text, @Nullable ClassLoader loader) {
        if (text.indexOf('@') < 0) {
            return false;
        }
        return ARRAY.matcher(text).find() || LAMBDA.matcher(text).find() || namesClass(text, loader);
    }

    /** The address of a mail looks alike, but does not begin with the name of a class. */
    private static boolean namesClass(String text, @Nullable ClassLoader loader) {
        Matcher matcher = CLASS.matcher(text);
        while (matcher.find()) {
            if (ClassUtils.isPresent(matcher.group(1), loader)) {
                return true;
            }
        }
        return false;
    }
}
