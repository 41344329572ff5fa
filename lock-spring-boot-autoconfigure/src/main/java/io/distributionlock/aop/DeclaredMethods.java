package io.distributionlock.aop;

import java.lang.reflect.Method;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The methods that a class itself declares, even if some of them name classes that are not there. */
final class DeclaredMethods {

    private static final Logger log = LoggerFactory.getLogger(DeclaredMethods.class);
    private static final Method[] NONE = {};

    private DeclaredMethods() {}

    static Method[] of(Class<?> type) {
        try {
            return type.getDeclaredMethods();
        } catch (LinkageError | TypeNotPresentException e) {
            // A class with an optional dependency that is missing; what cannot be loaded cannot be called either.
            log.debug("The methods of {} cannot be read, so locks on them are not seen", type.getName(), e);
            return NONE;
        }
    }
}
