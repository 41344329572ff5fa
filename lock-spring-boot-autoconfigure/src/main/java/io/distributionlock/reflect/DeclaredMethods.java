package io.distributionlock.reflect;

import io.distributionlock.internal.Internal;
import java.lang.reflect.Method;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * The methods that a class itself declares; none if their types cannot be loaded.
 *
 * @hidden
 */
@Internal
public final class DeclaredMethods {

    private static final Log log = LogFactory.getLog(DeclaredMethods.class);
    private static final Method[] NONE = {};

    private DeclaredMethods() {}

    public static Method[] of(Class<?> type) {
        try {
            return type.getDeclaredMethods();
        } catch (LinkageError | TypeNotPresentException e) {
            // An optional dependency is missing. Methods that cannot be loaded cannot be called either.
            log.debug("The methods of " + type.getName() + " cannot be read, so locks on them are not seen", e);
            return NONE;
        }
    }
}
