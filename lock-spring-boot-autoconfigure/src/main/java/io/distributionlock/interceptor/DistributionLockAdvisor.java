package io.distributionlock.interceptor;

import io.distributionlock.LockScope;
import io.distributionlock.event.LockEvents;
import io.distributionlock.failure.FailureAnswers;
import io.distributionlock.failure.FailureMappers;
import io.distributionlock.internal.Internal;
import io.distributionlock.key.LockKeyResolver;
import io.distributionlock.reflect.ProxyableTypes;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Objects;
import java.util.function.Supplier;
import org.aopalliance.aop.Advice;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.ClassFilter;
import org.springframework.aop.Pointcut;
import org.springframework.aop.PointcutAdvisor;
import org.springframework.aop.support.StaticMethodMatcherPointcut;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationContextAware;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.Ordered;
import org.springframework.core.PriorityOrdered;
import org.springframework.util.function.SingletonSupplier;

/**
 * Applies locks to annotated methods, outside of the advice of all other advisors unless the application sets another order: a lock
 * must outlive the transaction. Post-processors that put their advice before existing advice are outside of it nevertheless, such as
 * those of {@code @Async}.
 *
 * <p>The pointcut reads the annotations itself, because an AspectJ expression misses those of interfaces and composed ones. The
 * collaborators are created for the first locked bean, so that an application without one does not pay for them. What they need of
 * the application is looked up at the first locked call, so that it is not created before its post-processors.
 *
 * @hidden
 */
@Internal
public sealed class DistributionLockAdvisor extends StaticMethodMatcherPointcut
        implements PointcutAdvisor, ClassFilter, Ordered, ApplicationContextAware {

    private final int order;
    private @Nullable ConfigurableApplicationContext context;
    private @Nullable LockedMethods lockedMethods;
    private @Nullable Collaborators collaborators;

    private DistributionLockAdvisor(int order) {
        this.order = order;
        setClassFilter(this);
    }

    /** @param order that of its advice among the advice of other advisors; with the highest precedence it is outside of all of them */
    public static DistributionLockAdvisor of(int order) {
        return order == Ordered.HIGHEST_PRECEDENCE ? new Outermost() : new DistributionLockAdvisor(order);
    }

    /** {@link PriorityOrdered} puts it outside even of other advice with the highest precedence. */
    private static final class Outermost extends DistributionLockAdvisor implements PriorityOrdered {

        Outermost() {
            super(Ordered.HIGHEST_PRECEDENCE);
        }
    }

    @Override
    public void setApplicationContext(ApplicationContext application) {
        context = (ConfigurableApplicationContext) application;
        lockedMethods = new LockedMethods(context.getBeanFactory());
    }

    private ConfigurableApplicationContext context() {
        return Objects.requireNonNull(context, "setApplicationContext was not called");
    }

    public LockedMethods lockedMethods() {
        return Objects.requireNonNull(lockedMethods, "setApplicationContext was not called");
    }

    @Override
    public int getOrder() {
        return order;
    }

    @Override
    public Pointcut getPointcut() {
        return this;
    }

    @Override
    public boolean matches(Class<?> type) {
        // Proxying a final class fails with a message that does not mention the lock; the validation explains it.
        return lockedMethods().anyIn(type)
                && ProxyableTypes.reaches(type, context().getBeanFactory());
    }

    @Override
    public boolean matches(Method method, Class<?> targetClass) {
        return !Modifier.isStatic(method.getModifiers()) && lockedMethods().find(method, targetClass) != null;
    }

    @Override
    public Advice getAdvice() {
        return collaborators().interceptor;
    }

    /** What the advice works with. Created at the first call. */
    public synchronized Collaborators collaborators() {
        Collaborators known = collaborators;
        if (known == null) {
            known = new Collaborators(context(), lockedMethods());
            collaborators = known;
        }
        return known;
    }

    /** What the advice works with, and how the start checks it. */
    public static final class Collaborators {

        private final ConfigurableListableBeanFactory beans;
        private final LockTemplates templates;
        private final FailureMappers failureMappers;
        private final LockKeyResolver standardKeyResolver;
        private final Supplier<LockOverrides> overrides;
        private final DistributionLockInterceptor interceptor;

        private Collaborators(ConfigurableApplicationContext context, LockedMethods lockedMethods) {
            this.beans = context.getBeanFactory();
            // By name: a search by type would ask factories that are being created.
            LockEvents events = beans.getBean("lockEvents", LockEvents.class);
            this.templates = new LockTemplates(context);
            this.failureMappers = new FailureMappers(beans);
            this.standardKeyResolver = LockKeyResolver.standard(beans);
            this.overrides = SingletonSupplier.of(() -> beans.getBean(LockOverrides.class));
            this.interceptor = new DistributionLockInterceptor(
                    lockedMethods,
                    templates,
                    SingletonSupplier.of(this::keyResolver),
                    overrides,
                    new FailureAnswers(failureMappers, events, context),
                    SingletonSupplier.of(() -> beans.getBean(LockScope.class)));
        }

        public LockTemplates templates() {
            return templates;
        }

        public FailureMappers failureMappers() {
            return failureMappers;
        }

        public LockOverrides overrides() {
            return overrides.get();
        }

        public LockKeyResolver keyResolver() {
            return beans.getBeanProvider(LockKeyResolver.class).getIfAvailable(() -> standardKeyResolver);
        }
    }
}
