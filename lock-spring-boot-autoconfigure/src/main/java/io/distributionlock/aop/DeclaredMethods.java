package io.distributionlock.aop;

import java.lang.reflect.Method;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/** The methods that a class itself declares, even if some of them name classes that are not there. */
final class DeclaredMethods {

    private static final Log log = LogFactory.getLog(DeclaredMethods.class);
    private static final Method[] NONE = {};

    private DeclaredMethods() {}

    static Method[] of(Class<?> type) {
        try {
            return type.getDeclaredMethods();
        } catch (LinkageError | TypeNotPresentException e) {
            // A class with an optional dependency that is missing; what cannot be loaded cannot be called either.
            log.debug("The methods of " + type.getName() + " cannot be read, so locks on them are not seen", e);
            return NONE;
        }
    }
}
