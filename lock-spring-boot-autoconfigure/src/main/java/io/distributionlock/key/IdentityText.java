package io.distributionlock.key;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.util.ClassUtils;

/**
 * Finds identity hash codes in the text of an object, such as {@link Object#toString()} prints for an array in a record: they
 * differ for equal values.
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

    /** An e-mail address looks similar, but does not begin with the name of a class. */
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
