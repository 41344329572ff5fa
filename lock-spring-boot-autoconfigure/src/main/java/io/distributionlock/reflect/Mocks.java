package io.distributionlock.reflect;

import io.distributionlock.internal.Internal;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/**
 * Recognises Mockito's mocks, which a test puts in the place of a bean or an argument.
 *
 * @hidden
 */
@Internal
public final class Mocks {

    private static final boolean USED = ClassUtils.isPresent("org.mockito.Mockito", Mocks.class.getClassLoader());

    private Mocks() {}

    /** Whether there may be mocks at all. */
    public static boolean areUsed() {
        return USED;
    }

    /** Whether this is a mock. It needs no lock. */
    public static boolean contain(Object object) {
        return is("isMock", object);
    }

    /** Whether this is a mock that is no spy, so its fields are empty. */
    public static boolean isWithoutState(Object object) {
        return USED && is("isMock", object) && !is("isSpy", object);
    }

    private static boolean is(String question, Object object) {
        ClassLoader loader = object.getClass().getClassLoader();
        if (!ClassUtils.isPresent("org.mockito.Mockito", loader)) {
            return false;
        }
        Class<?> mockito = ClassUtils.resolveClassName("org.mockito.Mockito", loader);
        Class<?> details = ClassUtils.resolveClassName("org.mockito.MockingDetails", loader);
        return Boolean.TRUE.equals(ReflectionUtils.invokeMethod(
                ClassUtils.getMethod(details, question),
                ReflectionUtils.invokeMethod(
                        ClassUtils.getMethod(mockito, "mockingDetails", Object.class), null, object)));
    }
}
