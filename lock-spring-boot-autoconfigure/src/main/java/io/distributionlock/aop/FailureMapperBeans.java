package io.distributionlock.aop;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.HierarchicalBeanFactory;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.BeanDefinitionHolder;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.core.Ordered;
import org.springframework.core.ResolvableType;
import org.springframework.core.annotation.Order;

/**
 * Reads from bean definitions which types the {@link LockFailureMapper} beans answer for. Not from the beans: a lambda does not
 * know the type that it was written for.
 */
final class FailureMapperBeans {

    private final ConfigurableListableBeanFactory beanFactory;
    private final List<FailureMapperBean> beans = new ArrayList<>();
    private final List<LockProblem> problems = new ArrayList<>();

    FailureMapperBeans(ConfigurableListableBeanFactory beanFactory) {
        this.beanFactory = beanFactory;
        for (String name : BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beanFactory, LockFailureMapper.class)) {
            read(name);
        }
    }

    List<FailureMapperBean> beans() {
        return beans;
    }

    List<LockProblem> problems() {
        return problems;
    }

    private void read(String name) {
        ConfigurableListableBeanFactory owner = ownerOf(name);
        RootBeanDefinition definition = definitionOf(owner, name);
        if (definition != null && !definition.isAutowireCandidate()) {
            return;
        }
        ResolvableType mapped = mappedType(owner, name, definition);
        if (mapped == null) {
            problems.add(new LockProblem(
                    "The LockFailureMapper bean '" + name + "' does not say which return type it answers for.",
                    "Declare the type where the bean is defined, as in '@Bean LockFailureMapper<Resp<?>> " + name
                            + "()', or make it a class that implements LockFailureMapper<Resp<?>>."));
            return;
        }
        if (mapped.resolve() == Object.class) {
            problems.add(new LockProblem(
                    "The LockFailureMapper bean '" + name + "' answers for Object, so it would serve no method.",
                    "Declare it for the return type of the methods that it is to answer for."));
            return;
        }
        boolean primary = definition != null && definition.isPrimary();
        beans.add(new FailureMapperBean(name, new FailureMapperType(mapped), primary, orderOf(owner, name)));
    }

    private ConfigurableListableBeanFactory ownerOf(String name) {
        BeanFactory current = beanFactory;
        while (current instanceof HierarchicalBeanFactory hierarchical
                && !hierarchical.containsLocalBean(name)
                && hierarchical.getParentBeanFactory() != null) {
            current = inner(hierarchical.getParentBeanFactory());
        }
        return current instanceof ConfigurableListableBeanFactory configurable ? configurable : beanFactory;
    }

    /** A parent is usually an application context, which has its definitions in a factory of its own. */
    private static BeanFactory inner(BeanFactory parent) {
        return parent instanceof org.springframework.context.ConfigurableApplicationContext context
                ? context.getBeanFactory()
                : parent;
    }

    private static @Nullable RootBeanDefinition definitionOf(ConfigurableListableBeanFactory owner, String name) {
        if (!owner.containsBeanDefinition(name)) {
            return null;
        }
        // Asking for the type first makes the factory find the factory method, whose return type is what we are after.
        owner.getType(name);
        return root(owner.getMergedBeanDefinition(name));
    }

    private static @Nullable RootBeanDefinition root(BeanDefinition definition) {
        return definition instanceof RootBeanDefinition root ? root : null;
    }

    private static @Nullable ResolvableType mappedType(
            ConfigurableListableBeanFactory owner, String name, @Nullable RootBeanDefinition definition) {
        if (definition != null) {
            ResolvableType fromDefinition = mappedTypeOf(owner, definition);
            if (fromDefinition != null) {
                return fromDefinition;
            }
        }
        Class<?> type = owner.getType(name);
        if (type == null || type.isInterface()) {
            // The definition says too little; the bean's own class may say more, unless it is a lambda.
            type = owner.getBean(name).getClass();
        }
        return argument(ResolvableType.forClass(type));
    }

    private static @Nullable ResolvableType mappedTypeOf(
            ConfigurableListableBeanFactory owner, RootBeanDefinition definition) {
        BeanDefinitionHolder decorated = definition.getDecoratedDefinition();
        if (decorated != null) {
            // A scoped proxy: what it stands for says the type.
            RootBeanDefinition scoped = definitionOf(owner, decorated.getBeanName());
            return scoped == null ? null : mappedTypeOf(owner, scoped);
        }
        ResolvableType declared = definition.getResolvableType();
        ResolvableType argument = argument(declared);
        if (argument == null && FactoryBean.class.isAssignableFrom(declared.resolve(Object.class))) {
            argument = argument(declared.as(FactoryBean.class).getGeneric(0));
        }
        return argument != null
                ? argument
                : argumentOfProduct(definition.getAttribute(FactoryBean.OBJECT_TYPE_ATTRIBUTE));
    }

    private static @Nullable ResolvableType argumentOfProduct(@Nullable Object productType) {
        if (productType instanceof ResolvableType resolvable) {
            return argument(resolvable);
        }
        return productType instanceof Class<?> type ? argument(ResolvableType.forClass(type)) : null;
    }

    private static @Nullable ResolvableType argument(ResolvableType mapper) {
        ResolvableType argument = mapper.as(LockFailureMapper.class).getGeneric(0);
        return argument.resolve() == null ? null : argument;
    }

    private static int orderOf(ConfigurableListableBeanFactory owner, String name) {
        Order order = owner.findAnnotationOnBean(name, Order.class);
        if (order != null) {
            return order.value();
        }
        if (owner.isTypeMatch(name, Ordered.class)) {
            return ((Ordered) owner.getBean(name)).getOrder();
        }
        return Ordered.LOWEST_PRECEDENCE;
    }
}
