package io.distributionlock.interceptor;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import org.springframework.aop.ClassFilter;
import org.springframework.aop.config.AopConfigUtils;
import org.springframework.aop.support.StaticMethodMatcherPointcut;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.util.ClassUtils;

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
        return lockedMethods.anyIn(type) && canProxy(type, beans);
    }

    @Override
    public boolean matches(Method method, Class<?> targetClass) {
        return !Modifier.isStatic(method.getModifiers()) && lockedMethods.find(method, targetClass) != null;
    }

    /** Whether Spring can proxy objects of a class. A final one can be proxied only through its interfaces. */
    static boolean canProxy(Class<?> type, ConfigurableListableBeanFactory beans) {
        return !Modifier.isFinal(type.getModifiers())
                || Proxy.isProxyClass(type)
                || ClassUtils.isLambdaClass(type)
                || (type.getInterfaces().length > 0 && !proxiesExtendClasses(beans));
    }

    private static boolean proxiesExtendClasses(ConfigurableListableBeanFactory beans) {
        String creator = AopConfigUtils.AUTO_PROXY_CREATOR_BEAN_NAME;
        return beans.containsBeanDefinition(creator)
                && Boolean.TRUE.equals(
                        beans.getBeanDefinition(creator).getPropertyValues().get("proxyTargetClass"));
    }
}
