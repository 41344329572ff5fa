package io.distributionlock.failure;

import java.lang.reflect.Method;
import java.lang.reflect.WildcardType;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.beans.BeansException;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.AbstractBeanDefinition;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.core.Ordered;
import org.springframework.core.ResolvableType;
import org.springframework.core.annotation.AnnotationAwareOrderComparator;
import org.springframework.core.annotation.OrderUtils;

/**
 * The {@link LockFailureMapper} beans of a context and its parents, and their types. Spring's own search by a generic type is of no use:
 * it does not know the types of scoped proxies and of what a {@link FactoryBean} makes.
 */
final class MapperBeans {

    private static final Log log = LogFactory.getLog(MapperBeans.class);

    private final ConfigurableListableBeanFactory beans;

    MapperBeans(ConfigurableListableBeanFactory beans) {
        this.beans = beans;
    }

    /**
     * The type that each of them serves, by name.
     *
     * @param create whether to create those whose definition does not tell, and factories: a failure needs them, the start does not
     */
    Map<String, ResolvableType> servedTypes(boolean create) {
        Map<String, ResolvableType> types = new LinkedHashMap<>();
        String[] names =
                BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beans, LockFailureMapper.class, true, create);
        Stream.of(names)
                .filter(name -> !ScopedProxyUtils.isScopedTarget(name))
                .forEach(name -> types.put(name, servedBy(name, create)));
        return types;
    }

    /** Whether it can be asked without being created for that, as a prototype or a lazy bean would be. */
    boolean exists(String name) {
        return ownerOf(name).containsSingleton(name)
                && beans.isSingleton(name)
                && definition(name).map(BeanDefinition::isSingleton).orElse(true);
    }

    boolean isOfParent(String name) {
        return ownerOf(name) != beans;
    }

    /** With invariant type arguments, a definition that tells the type tells the type of the object. */
    private ResolvableType servedBy(String name, boolean create) {
        ResolvableType defined = definedType(name).as(LockFailureMapper.class).getGeneric();
        boolean tells = MapperTypes.says(defined) && !(defined.getType() instanceof WildcardType);
        if (tells || !create && !exists(name)) {
            return defined;
        }
        ResolvableType own = ResolvableType.forClass(classOf(name))
                .as(LockFailureMapper.class)
                .getGeneric();
        return MapperTypes.says(own) ? own : defined;
    }

    private ResolvableType definedType(String name) {
        return definition(name)
                .map(BeanDefinition::getResolvableType)
                .map(type -> FactoryBean.class.isAssignableFrom(type.toClass())
                        ? type.as(FactoryBean.class).getGeneric()
                        : type)
                .orElse(ResolvableType.NONE);
    }

    private Optional<BeanDefinition> definition(String name) {
        ConfigurableListableBeanFactory owner = ownerOf(name);
        return Optional.of(behindProxy(name))
                .filter(owner::containsBeanDefinition)
                .map(owner::getMergedBeanDefinition);
    }

    /** Of a scoped proxy, the name of its target. */
    private String behindProxy(String name) {
        String target = ScopedProxyUtils.getTargetBeanName(name);
        return ownerOf(name).containsBeanDefinition(target) ? target : name;
    }

    private ConfigurableListableBeanFactory ownerOf(String name) {
        ConfigurableListableBeanFactory owner = beans;
        while (!owner.containsLocalBean(name)
                && owner.getParentBeanFactory() instanceof ConfigurableListableBeanFactory parent) {
            owner = parent;
        }
        return owner;
    }

    private Class<?> classOf(String name) {
        try {
            return AopProxyUtils.ultimateTargetClass(get(behindProxy(name)));
        } catch (BeansException e) {
            log.debug("The class of the LockFailureMapper bean '" + name + "' is not known", e);
            return LockFailureMapper.class;
        }
    }

    LockFailureMapper<?> get(String name) {
        return beans.getBean(name, LockFailureMapper.class);
    }

    boolean isSingleton(String name) {
        return beans.isSingleton(name);
    }

    /** The first of these by {@code @Order}. Creates them if there are several. */
    String first(List<String> names) {
        if (names.size() == 1) {
            return names.get(0);
        }
        Map<String, Object> sources = new HashMap<>();
        names.forEach(name -> sources.put(name, orderSource(name)));
        return Collections.min(names, Comparator.comparing(sources::get, AnnotationAwareOrderComparator.INSTANCE));
    }

    /** What tells a bean's order, as in a list that Spring injects. */
    private Object orderSource(String name) {
        BeanDefinition definition = definition(name).orElse(null);
        if (definition != null
                && definition.getAttribute(AbstractBeanDefinition.ORDER_ATTRIBUTE) instanceof Integer order) {
            return (Ordered) () -> order;
        }
        if (definition instanceof RootBeanDefinition root) {
            Method factory = root.getResolvedFactoryMethod();
            if (factory != null && OrderUtils.getOrder(factory) != null) {
                return factory;
            }
        }
        return get(name);
    }
}
