package io.distributionlock.failure;

import io.distributionlock.annotation.LockProblem;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.config.BeanDefinitionHolder;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.core.Ordered;
import org.springframework.core.ResolvableType;
import org.springframework.core.annotation.Order;

/**
 * Reads from bean definitions which types the {@link LockFailureMapper} beans answer for. The beans themselves may not know: a
 * lambda has lost its type.
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
        ResolvableType type = typeOf(owner, name, definition);
        if (type == null) {
            problems.add(new LockProblem(
                    "The LockFailureMapper bean '" + name + "' does not say which return type it answers for.",
                    "Declare the type where the bean is defined, as in '@Bean LockFailureMapper<Resp<?>> " + name
                            + "()', or make it a class that implements LockFailureMapper<Resp<?>>."));
        } else if (type.resolve() == Object.class) {
            problems.add(new LockProblem(
                    "The LockFailureMapper bean '" + name + "' answers for Object, so it would serve no method.",
                    "Declare it for the return type of the methods that it is to answer for."));
        } else {
            boolean primary = definition != null && definition.isPrimary();
            beans.add(new FailureMapperBean(name, type, primary, orderOf(owner, name)));
        }
    }

    private ConfigurableListableBeanFactory ownerOf(String name) {
        ConfigurableListableBeanFactory owner = beanFactory;
        while (!owner.containsLocalBean(name)
                && owner.getParentBeanFactory() instanceof ConfigurableListableBeanFactory parent) {
            owner = parent;
        }
        return owner;
    }

    private static @Nullable RootBeanDefinition definitionOf(ConfigurableListableBeanFactory owner, String name) {
        if (!owner.containsBeanDefinition(name)) {
            return null;
        }
        // Makes the factory resolve the factory method, whose return type the definition then knows.
        owner.getType(name);
        return owner.getMergedBeanDefinition(name) instanceof RootBeanDefinition root ? root : null;
    }

    private static @Nullable ResolvableType typeOf(
            ConfigurableListableBeanFactory owner, String name, @Nullable RootBeanDefinition definition) {
        ResolvableType declared = definition == null ? null : declaredType(owner, definition);
        if (declared != null) {
            return declared;
        }
        Class<?> type = owner.getType(name);
        if (type == null || type.isInterface()) {
            // The definition says too little; the bean's own class may say more, unless it is a lambda.
            type = owner.getBean(name).getClass();
        }
        return argument(ResolvableType.forClass(type));
    }

    private static @Nullable ResolvableType declaredType(
            ConfigurableListableBeanFactory owner, RootBeanDefinition definition) {
        BeanDefinitionHolder target = definition.getDecoratedDefinition();
        if (target != null) {
            // A scoped proxy: the definition behind it has the type.
            RootBeanDefinition scoped = definitionOf(owner, target.getBeanName());
            return scoped == null ? null : declaredType(owner, scoped);
        }
        ResolvableType bean = definition.getResolvableType();
        Object product = definition.getAttribute(FactoryBean.OBJECT_TYPE_ATTRIBUTE);
        return Stream.of(
                        bean,
                        bean.as(FactoryBean.class).getGeneric(),
                        product instanceof Class<?> type ? ResolvableType.forClass(type) : ResolvableType.NONE,
                        product instanceof ResolvableType type ? type : ResolvableType.NONE)
                .map(FailureMapperBeans::argument)
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(null);
    }

    private static @Nullable ResolvableType argument(ResolvableType mapper) {
        ResolvableType argument = mapper.as(LockFailureMapper.class).getGeneric();
        return argument.resolve() == null ? null : argument;
    }

    private static int orderOf(ConfigurableListableBeanFactory owner, String name) {
        Order order = owner.findAnnotationOnBean(name, Order.class);
        if (order != null) {
            return order.value();
        }
        return owner.isTypeMatch(name, Ordered.class)
                ? ((Ordered) owner.getBean(name)).getOrder()
                : Ordered.LOWEST_PRECEDENCE;
    }
}
