package io.distributionlock.interceptor;

import io.distributionlock.LockNotAcquiredException;
import io.distributionlock.annotation.LockProblem;
import io.distributionlock.failure.LockFailure;
import io.distributionlock.failure.LockFailureMapper;
import io.distributionlock.internal.MethodText;
import java.lang.reflect.Method;
import java.lang.reflect.WildcardType;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
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
import org.springframework.util.ClassUtils;

/**
 * The {@link LockFailureMapper} beans of a context and its parents: the first in {@code @Order} that serves a method's return type
 * answers. Spring's own search by a generic type is of no use: it does not know the types of scoped proxies and of what a
 * {@link FactoryBean} makes.
 */
final class FailureMappers {

    private static final Log log = LogFactory.getLog(FailureMappers.class);

    private final ConfigurableListableBeanFactory beans;
    private final Map<ResolvableType, Optional<Answer>> found = new ConcurrentHashMap<>();

    FailureMappers(ConfigurableListableBeanFactory beans) {
        this.beans = beans;
    }

    /**
     * Maps a failure to the return type. A wrapper without a mapper of its own wraps the answer for the type inside it.
     *
     * @throws LockNotAcquiredException the exception of the failure, if there is no mapper
     * @throws IllegalStateException if the value does not fit the return type
     */
    @Nullable
    Object answer(ResolvableType returnType, LockFailure failure) {
        Answer answer = answerFor(returnType);
        if (answer == null) {
            throw failure.exception();
        }
        LockFailureMapper<?> mapper = answer.mapper().get();
        Object value = mapper.map(failure);
        requireFit(value, answer.served().part().toClass(), mapper, failure.method());
        return answer.served().wrap(value);
    }

    private static void requireFit(
            @Nullable Object value, Class<?> returnType, LockFailureMapper<?> mapper, Method method) {
        if (returnType != void.class && !ClassUtils.isAssignableValue(returnType, value)) {
            String given = value == null ? "null" : "a " + value.getClass().getName();
            throw new IllegalStateException(
                    "The LockFailureMapper " + mapper.getClass().getName() + " returned " + given
                            + " for " + MethodText.of(method) + ", which returns " + returnType.getName()
                            + ". Return a value of that type, or declare a LockFailureMapper for it with a smaller @Order.");
        }
    }

    private @Nullable Answer answerFor(ResolvableType returnType) {
        // Not computeIfAbsent: a mapper may be created here.
        Optional<Answer> known = found.get(returnType);
        if (known == null) {
            known = ServedPart.of(returnType, servedTypes(true))
                    .map(served -> new Answer(supplierOf(first(served.mappers())), served));
            found.put(returnType, known);
        }
        return known.orElse(null);
    }

    private record Answer(Supplier<LockFailureMapper<?>> mapper, ServedPart served) {}

    /** A singleton is kept: while the context closes, looking it up could create it again. */
    private Supplier<LockFailureMapper<?>> supplierOf(String name) {
        if (!beans.isSingleton(name)) {
            return () -> get(name);
        }
        LockFailureMapper<?> mapper = get(name);
        return () -> mapper;
    }

    /** Reports mappers that do not say which return type they answer for; of one that is made later, the object may say it. */
    List<LockProblem> check() {
        return servedTypes(false).entrySet().stream()
                .filter(mapper -> !ServedPart.says(mapper.getValue()) && exists(mapper.getKey()))
                .map(mapper -> new LockProblem(
                        "The LockFailureMapper bean '" + mapper.getKey()
                                + "' does not say which return type it answers for.",
                        "Declare the type where the bean is defined, as in '@Bean LockFailureMapper<Resp<?>> "
                                + mapper.getKey()
                                + "()', or make it a class that implements LockFailureMapper<Resp<?>>."))
                .toList();
    }

    // ------------------------------------------------------------------ the beans and their types

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
        boolean tells = ServedPart.says(defined) && !(defined.getType() instanceof WildcardType);
        if (tells || !create && !exists(name)) {
            return defined;
        }
        ResolvableType own = ResolvableType.forClass(classOf(name))
                .as(LockFailureMapper.class)
                .getGeneric();
        return ServedPart.says(own) ? own : defined;
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

    private LockFailureMapper<?> get(String name) {
        return beans.getBean(name, LockFailureMapper.class);
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
