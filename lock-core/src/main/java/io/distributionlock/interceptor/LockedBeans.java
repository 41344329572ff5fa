package io.distributionlock.interceptor;

import io.distributionlock.annotation.LockProblem;
import io.distributionlock.failure.LockFailureMapper;
import io.distributionlock.internal.Internal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.aop.framework.autoproxy.AbstractAutoProxyCreator;
import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/**
 * The beans of an application, once its singletons are created. Creates no bean: prototypes and lazy beans are known by their types.
 *
 * @hidden
 */
@Internal
public final class LockedBeans {

    private static final Log log = LogFactory.getLog(LockedBeans.class);

    private final ConfigurableListableBeanFactory beanFactory;
    private final LockMetadataSource lockedMethods;

    public LockedBeans(ConfigurableListableBeanFactory beanFactory, LockMetadataSource lockedMethods) {
        this.beanFactory = beanFactory;
        this.lockedMethods = lockedMethods;
    }

    /** The classes of beans that declare a lock, a part of a lock, or an answer to a lock that was not acquired. */
    public Set<Class<?>> types() {
        return byClass().stream()
                .map(TypedBean::type)
                .filter(this::concernsLocks)
                .collect(Collectors.toSet());
    }

    private boolean concernsLocks(Class<?> type) {
        return lockedMethods.anyIn(type) || LockFailureMapper.class.isAssignableFrom(type);
    }

    /**
     * Reports annotations without effect where nothing in the application makes proxies.
     *
     * @param others whether a class has another annotation that needs a proxy
     */
    public List<LockProblem> withoutProxies(Predicate<Class<?>> others) {
        if (beanFactory.getBeanNamesForType(AbstractAutoProxyCreator.class, true, false).length > 0) {
            return List.of();
        }
        return byClass().stream()
                .filter(bean -> lockedMethods.anyIn(bean.type()) || others.test(bean.type()))
                .map(bean -> LockProblem.unlocked(
                        "The annotations of bean '" + bean.name()
                                + "' have no effect, because nothing in the application makes proxies.",
                        "Remove spring.aop.auto=false, import Spring Boot's AopAutoConfiguration if you select"
                                + " auto-configurations by hand, or put @EnableAspectJAutoProxy on a configuration."))
                .limit(1)
                .toList();
    }

    /** All beans that are defined in this factory, and those registered as finished objects. */
    private Set<String> names() {
        Set<String> names = new LinkedHashSet<>();
        Collections.addAll(names, beanFactory.getBeanDefinitionNames());
        Collections.addAll(names, beanFactory.getSingletonNames());
        return names;
    }

    /** A bean, and the class that it would have without its proxy. */
    record TypedBean(String name, Class<?> type) {}

    /** All beans of known classes, in the order of these. */
    List<TypedBean> byClass() {
        List<TypedBean> found = new ArrayList<>();
        for (String name : names()) {
            Class<?> type = typeOf(name);
            if (type != null) {
                found.add(new TypedBean(name, type));
            }
        }
        found.sort(
                Comparator.comparing((TypedBean bean) -> bean.type().getName()).thenComparing(TypedBean::name));
        return found;
    }

    /** The class that a bean would have without its proxy, or {@code null} if it is not known. */
    private @Nullable Class<?> typeOf(String name) {
        if (beanFactory.containsBeanDefinition(name)
                && beanFactory.getBeanDefinition(name).isAbstract()) {
            return null;
        }
        Object bean = existing(name);
        if (bean != null) {
            return AopProxyUtils.ultimateTargetClass(bean);
        }
        try {
            return AutoProxyUtils.determineTargetClass(beanFactory, name);
        } catch (RuntimeException | LinkageError e) {
            log.debug("The type of bean '" + name + "' is not known, so its locks are not checked", e);
            return null;
        }
    }

    /** The singleton of this name, if it is created and not a factory of another object. */
    @Nullable
    Object existing(String name) {
        if (!beanFactory.containsSingleton(name)) {
            return null;
        }
        Object singleton = beanFactory.getSingleton(name);
        return singleton instanceof FactoryBean ? null : singleton;
    }
}
