package io.distributionlock.reflect;

import io.distributionlock.internal.Internal;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import org.springframework.aop.config.AopConfigUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.util.ClassUtils;

/**
 * Whether Spring can proxy objects of a class.
 *
 * @hidden
 */
@Internal
public final class ProxyableTypes {

    private ProxyableTypes() {}

    /** A final class can be proxied only through its interfaces. */
    public static boolean reaches(Class<?> type, ConfigurableListableBeanFactory beanFactory) {
        return !Modifier.isFinal(type.getModifiers())
                || Proxy.isProxyClass(type)
                || ClassUtils.isLambdaClass(type)
                || (type.getInterfaces().length > 0 && !extendsClasses(beanFactory));
    }

    private static boolean extendsClasses(ConfigurableListableBeanFactory beanFactory) {
        String creator = AopConfigUtils.AUTO_PROXY_CREATOR_BEAN_NAME;
        return beanFactory.containsBeanDefinition(creator)
                && Boolean.TRUE.equals(beanFactory
                        .getBeanDefinition(creator)
                        .getPropertyValues()
                        .get("proxyTargetClass"));
    }
}
