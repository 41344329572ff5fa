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
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import org.aopalliance.aop.Advice;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.ClassFilter;
import org.springframework.aop.MethodMatcher;
import org.springframework.aop.Pointcut;
import org.springframework.aop.PointcutAdvisor;
import org.springframework.aop.support.StaticMethodMatcher;
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
 * Applies locks to annotated methods, outside of all other advice: a lock must outlive the transaction.
 *
 * <p>The pointcut reads the annotations itself, because an AspectJ expression misses those of interfaces and composed ones. The
 * collaborators are looked up at the first locked call, so that they are not created before their post-processors.
 *
 * <p>{@link PriorityOrdered} puts it outside even of advice with the highest precedence.
 *
 * @hidden
 */
@Internal
@Order(Ordered.HIGHEST_PRECEDENCE)
public final class DistributionLockAdvisor
        implements PointcutAdvisor, PriorityOrdered, ApplicationEventPublisherAware, MessageSourceAware {

    /** Spring Boot's executor for asynchronous work of the application. */
    private static final String APPLICATION_EXECUTOR = "applicationTaskExecutor";

    private final ConfigurableListableBeanFactory beanFactory;
    private final LockedMethods lockedMethods;
    private final LockTemplates templates;
    private final LockEvents events = new LockEvents();
    private final FailureMappers failureMappers;
    private final FailureAnswers answers;
    private final LockKeyResolver standardKeyResolver;
    private final LockPlanner planner;
    private final DistributionLockInterceptor interceptor;
    private final Pointcut pointcut = new LockPointcut();
    private volatile @Nullable ConfigurableApplicationContext context;

    /**
     * @param beanFactory where the {@link LockTemplate}s, the {@link LockKeyResolver}, the {@link LockFailureMapper}s and the
     *     {@link LockScope} are found; without the last, locks are held until a surrounding transaction has ended
     */
    public DistributionLockAdvisor(ConfigurableListableBeanFactory beanFactory) {
        this.beanFactory = beanFactory;
        this.lockedMethods = new LockedMethods(beanFactory);
        this.failureMappers = new FailureMappers(beanFactory);
        this.answers = new FailureAnswers(failureMappers, events);
        this.standardKeyResolver = LockKeyResolver.standard(beanFactory);
        this.templates = new LockTemplates(beanFactory, this::isContextClosed);
        CallRunners runners =
                new CallRunners(answers, SingletonSupplier.of(this::scope), SingletonSupplier.of(this::executor));
        this.planner = new LockPlanner(SingletonSupplier.of(this::overrides));
        this.interceptor = new DistributionLockInterceptor(
                lockedMethods, templates, SingletonSupplier.of(this::keyResolver), planner, runners::of);
    }

    public LockedMethods lockedMethods() {
        return lockedMethods;
    }

    public LockTemplates templates() {
        return templates;
    }

    public FailureMappers failureMappers() {
        return failureMappers;
    }

    public LockKeyResolver keyResolver() {
        return beanFactory.getBeanProvider(LockKeyResolver.class).getIfAvailable(() -> standardKeyResolver);
    }

    private LockScope scope() {
        return beanFactory
                .getBeanProvider(LockScope.class)
                .getIfAvailable(() -> new SpringLockScope(events, () -> false));
    }

    private boolean isContextClosed() {
        ConfigurableApplicationContext known = context;
        return known != null && known.isClosed();
    }

    public LockPlanner planner() {
        return planner;
    }

    private LockOverrides overrides() {
        return beanFactory.getBeanProvider(LockOverrides.class).getIfAvailable(() -> LockOverrides.NONE);
    }

    private Executor executor() {
        return beanFactory.containsBean(APPLICATION_EXECUTOR)
                        && beanFactory.isTypeMatch(APPLICATION_EXECUTOR, Executor.class)
                ? beanFactory.getBean(APPLICATION_EXECUTOR, Executor.class)
                : ForkJoinPool.commonPool();
    }

    @Override
    public void setApplicationEventPublisher(ApplicationEventPublisher publisher) {
        context = publisher instanceof ConfigurableApplicationContext known ? known : null;
        events.publishTo(publisher);
    }

    @Override
    public void setMessageSource(MessageSource messages) {
        answers.takeMessagesFrom(messages);
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
            // Proxying a final class fails with a message that does not mention the lock; the validation explains it.
            return ProxyableTypes.reaches(type, beanFactory) && lockedMethods.anyIn(type);
        }

        @Override
        public boolean matches(Method method, Class<?> targetClass) {
            return !Modifier.isStatic(method.getModifiers()) && lockedMethods.find(method, targetClass) != null;
        }
    }
}
