package io.distributionlock.validation;

import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/** Recognises Mockito's mocks, which a test puts in the place of a bean, and which need no lock. */
final class Mocks {

    private Mocks() {}

    static boolean contain(Object bean) {
        ClassLoader loader = bean.getClass().getClassLoader();
        if (!ClassUtils.isPresent("org.mockito.Mockito", loader)) {
            return false;
        }
        Class<?> mockito = ClassUtils.resolveClassName("org.mockito.Mockito", loader);
        Class<?> details = ClassUtils.resolveClassName("org.mockito.MockingDetails", loader);
        return Boolean.TRUE.equals(ReflectionUtils.invokeMethod(
                ClassUtils.getMethod(details, "isMock"),
                ReflectionUtils.invokeMethod(
                        ClassUtils.getMethod(mockito, "mockingDetails", Object.class), null, bean)));
    }
}
