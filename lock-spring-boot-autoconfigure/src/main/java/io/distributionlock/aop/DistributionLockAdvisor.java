package io.distributionlock.aop;

import io.distributionlock.LockTemplate;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.function.Supplier;
import org.aopalliance.aop.Advice;
import org.springframework.aop.ClassFilter;
import org.springframework.aop.MethodMatcher;
import org.springframework.aop.Pointcut;
import org.springframework.aop.PointcutAdvisor;
import org.springframework.aop.support.StaticMethodMatcher;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.util.function.SingletonSupplier;

/**
 * Puts the lock around annotated methods, outside of every other advice: the lock outlives a transaction.
 *
 * <p>The pointcut asks the annotations themselves, for an AspectJ expression sees neither those of interfaces nor composed
 * ones. Takes its collaborators from the bean factory at the first locked call, so that they are not created before their
 * own post-processors.
 */
@Order(Ordered.HIGHEST_PRECEDENCE)
public final class DistributionLockAdvisor implements PointcutAdvisor, Ordered {

    private final LockedMethods lockedMethods = new LockedMethods();
    private final ConfigurableListableBeanFactory beanFactory;
    private final FailureMappers failureMappers;
    private final DistributionLockInterceptor interceptor;
    private final Pointcut pointcut = new LockPointcut();

    /** Takes the {@link LockTemplate} and the {@link LockKeyResolver}, if there is one, from this bean factory. */
    public DistributionLockAdvisor(ConfigurableListableBeanFactory beanFactory) {
        this.beanFactory = beanFactory;
        this.failureMappers = new FailureMappers(beanFactory);
        Supplier<LockTemplate> template = SingletonSupplier.of(() -> beanFactory.getBean(LockTemplate.class));
        this.interceptor = new DistributionLockInterceptor(
                lockedMethods, template, SingletonSupplier.of(this::keyResolver), failureMappers);
    }

    LockedMethods lockedMethods() {
        return lockedMethods;
    }

    FailureMappers failureMappers() {
        return failureMappers;
    }

    LockKeyResolver keyResolver() {
        return beanFactory.getBeanProvider(LockKeyResolver.class).getIfAvailable(StandardLockKeyResolver::new);
    }

    @Override
    public int getOrder() {
        return Ordered.HIGHEST_PRECEDENCE;
    }

    @Override
    public Pointcut getPointcut() {
        return pointcut;
    }

    @Override
    public Advice getAdvice() {
        return interceptor;
    }

    private final class LockPointcut extends StaticMethodMatcher implements Pointcut, ClassFilter {

        @Override
        public ClassFilter getClassFilter() {
            return this;
        }

        @Override
        public MethodMatcher getMethodMatcher() {
            return this;
        }

        @Override
        public boolean matches(Class<?> type) {
            // Trying to proxy a final class fails with words that say nothing of the lock; the validation explains it.
            return (ProxyReach.reaches(type, beanFactory)) && lockedMethods.anyIn(type);
        }

        @Override
        public boolean matches(Method method, Class<?> targetClass) {
            return !Modifier.isStatic(method.getModifiers()) && lockedMethods.find(method, targetClass) != null;
        }
    }
}
