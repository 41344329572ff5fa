package io.distributionlock.reflect;

import io.distributionlock.internal.Internal;
import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/**
 * Recognises mocks, which tests register as finished objects and which need no lock.
 *
 * @hidden
 */
@Internal
public final class Mocks {

    private static final @Nullable Method MOCKING_DETAILS = mockingDetails();

    /** What to do instead of mocking a template. */
    public static final String CURE =
            "Remove the mock, and give the test locks in memory: put @LocalLocks or @ScriptedLocks of"
                    + " lock-spring-boot-test on it.";

    private Mocks() {}

    private static @Nullable Method mockingDetails() {
        ClassLoader loader = Mocks.class.getClassLoader();
        return ClassUtils.isPresent("org.mockito.Mockito", loader)
                ? ReflectionUtils.findMethod(
                        ClassUtils.resolveClassName("org.mockito.Mockito", loader), "mockingDetails", Object.class)
                : null;
    }

    public static boolean contain(Object bean) {
        if (MOCKING_DETAILS == null) {
            return false;
        }
        Object details = ReflectionUtils.invokeMethod(MOCKING_DETAILS, null, bean);
        Method isMock = ReflectionUtils.findMethod(MOCKING_DETAILS.getReturnType(), "isMock");
        return details != null && isMock != null && Boolean.TRUE.equals(ReflectionUtils.invokeMethod(isMock, details));
    }
}
