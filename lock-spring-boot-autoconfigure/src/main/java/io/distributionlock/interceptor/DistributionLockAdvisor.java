package io.distributionlock.interceptor;

import io.distributionlock.LockScope;
import io.distributionlock.LockTemplate;
import io.distributionlock.event.LockEvents;
import io.distributionlock.failure.FailureAnswers;
import io.distributionlock.failure.FailureMappers;
import io.distributionlock.failure.LockFailureMapper;
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
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.BeanFactoryAware;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.ApplicationEventPublisherAware;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.MessageSource;
import org.springframework.context.MessageSourceAware;
import org.springframework.core.Ordered;
import org.springframework.core.PriorityOrdered;
import org.springframework.core.annotation.Order;
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
@Order(Ordered.HIGHEST_PRECEDENCE)
public sealed class DistributionLockAdvisor
        implements PointcutAdvisor, Ordered, BeanFactoryAware, ApplicationEventPublisherAware, MessageSourceAware {

    private final int order;
    private @Nullable LockPointcut pointcut;
    private @Nullable Collaborators collaborators;
    private @Nullable ApplicationEventPublisher publisher;
    private @Nullable MessageSource messages;

    private DistributionLockAdvisor(int order) {
        this.order = order;
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

    /**
     * @param owner where the {@link LockTemplate}s, the {@link LockKeyResolver}, the {@link LockFailureMapper}s and the
     *     {@link LockScope} are found; without the last, locks are held until a surrounding transaction has ended
     */
    @Override
    public void setBeanFactory(BeanFactory owner) {
        pointcut = new LockPointcut((ConfigurableListableBeanFactory) owner);
    }

    public LockedMethods lockedMethods() {
        return pointcut().lockedMethods;
    }

    private LockPointcut pointcut() {
        return Objects.requireNonNull(pointcut, "setBeanFactory was not called");
    }

    /** What the advice works with. Created at the first call. */
    public synchronized Collaborators collaborators() {
        Collaborators known = collaborators;
        if (known == null) {
            known = new Collaborators(pointcut().beanFactory, lockedMethods(), publisher, messages);
            collaborators = known;
        }
        return known;
    }

    @Override
    public synchronized void setApplicationEventPublisher(ApplicationEventPublisher applicationPublisher) {
        publisher = applicationPublisher;
    }

    @Override
    public synchronized void setMessageSource(MessageSource applicationMessages) {
        messages = applicationMessages;
    }

    @Override
    public int getOrder() {
        return order;
    }

    @Override
    public Pointcut getPointcut() {
        return pointcut();
    }

    @Override
    public Advice getAdvice() {
        return collaborators().interceptor;
    }

    /** What the advice works with, and how the start checks it. */
    public static final class Collaborators {

        private static final String EVENTS = "lockEvents";

        private final ConfigurableListableBeanFactory beanFactory;
        private final LockTemplates templates;
        private final LockEvents events;
        private final FailureMappers failureMappers;
        private final LockKeyResolver standardKeyResolver;
        private final Supplier<LockOverrides> overrides;
        private final DistributionLockInterceptor interceptor;
        private final @Nullable ConfigurableApplicationContext context;

        private Collaborators(
                ConfigurableListableBeanFactory beanFactory,
                LockedMethods lockedMethods,
                @Nullable ApplicationEventPublisher publisher,
                @Nullable MessageSource messages) {
            this.beanFactory = beanFactory;
            this.context = publisher instanceof ConfigurableApplicationContext known ? known : null;
            // By name: a search by type would ask factories that are being created.
            this.events = beanFactory.containsBean(EVENTS)
                    ? beanFactory.getBean(EVENTS, LockEvents.class)
                    : new LockEvents(publisher != null ? publisher : event -> {});
            this.failureMappers = new FailureMappers(beanFactory);
            FailureAnswers answers = new FailureAnswers(failureMappers, events, messages);
            this.standardKeyResolver = LockKeyResolver.standard(beanFactory);
            this.templates = new LockTemplates(beanFactory, () -> context != null && context.isClosed());
            this.overrides = SingletonSupplier.of(this::lookUpOverrides);
            this.interceptor = new DistributionLockInterceptor(
                    lockedMethods,
                    templates,
                    SingletonSupplier.of(this::keyResolver),
                    overrides,
                    answers,
                    SingletonSupplier.of(this::scope));
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
            return beanFactory.getBeanProvider(LockKeyResolver.class).getIfAvailable(() -> standardKeyResolver);
        }

        private LockScope scope() {
            return beanFactory
                    .getBeanProvider(LockScope.class)
                    .getIfAvailable(() -> new SpringLockScope(events, () -> false));
        }

        private LockOverrides lookUpOverrides() {
            return beanFactory.getBeanProvider(LockOverrides.class).getIfAvailable(() -> LockOverrides.NONE);
        }
    }

    private static final class LockPointcut extends StaticMethodMatcherPointcut implements ClassFilter {

        private final ConfigurableListableBeanFactory beanFactory;
        private final LockedMethods lockedMethods;

        LockPointcut(ConfigurableListableBeanFactory beanFactory) {
            this.beanFactory = beanFactory;
            this.lockedMethods = new LockedMethods(beanFactory);
            setClassFilter(this);
        }

        @Override
        public boolean matches(Class<?> type) {
            // Proxying a final class fails with a message that does not mention the lock; the validation explains it.
            return lockedMethods.anyIn(type) && ProxyableTypes.reaches(type, beanFactory);
        }

        @Override
        public boolean matches(Method method, Class<?> targetClass) {
            return !Modifier.isStatic(method.getModifiers()) && lockedMethods.find(method, targetClass) != null;
        }
    }
}
