package io.distributionlock.interceptor;

import io.distributionlock.reflect.ProxyableTypes;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import org.springframework.aop.ClassFilter;
import org.springframework.aop.support.StaticMethodMatcherPointcut;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/** Matches methods with a lock, in classes that a proxy can extend or implement. */
final class LockedMethodPointcut extends StaticMethodMatcherPointcut implements ClassFilter {

    private final LockMetadataSource lockedMethods;
    private final ConfigurableListableBeanFactory beans;

    LockedMethodPointcut(LockMetadataSource lockedMethods, ConfigurableListableBeanFactory beans) {
        this.lockedMethods = lockedMethods;
        this.beans = beans;
        setClassFilter(this);
    }

    @Override
    public boolean matches(Class<?> type) {
        // Proxying a final class fails with a message that does not mention the lock; the validation explains it.
        return lockedMethods.anyIn(type) && ProxyableTypes.reaches(type, beans);
    }

    @Override
    public boolean matches(Method method, Class<?> targetClass) {
        return !Modifier.isStatic(method.getModifiers()) && lockedMethods.find(method, targetClass) != null;
    }
}
