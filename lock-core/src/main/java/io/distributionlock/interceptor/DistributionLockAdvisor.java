package io.distributionlock.interceptor;

import io.distributionlock.LockExecutor;
import io.distributionlock.LockTemplate;
import io.distributionlock.event.LockEvents;
import io.distributionlock.failure.FailureAnswers;
import io.distributionlock.failure.FailureMappers;
import io.distributionlock.hold.LockScope;
import io.distributionlock.internal.Internal;
import io.distributionlock.key.LockKeyResolver;
import io.distributionlock.reflect.ProxyableTypes;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.function.Function;
import java.util.function.Supplier;
import org.aopalliance.aop.Advice;
import org.springframework.aop.ClassFilter;
import org.springframework.aop.Pointcut;
import org.springframework.aop.PointcutAdvisor;
import org.springframework.aop.support.StaticMethodMatcherPointcut;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
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
        implements PointcutAdvisor, ClassFilter, Ordered {

    private final int order;
    private final ConfigurableListableBeanFactory beans;
    private final LockMetadataSource lockedMethods;
    private final Supplier<Collaborators> collaborators;

    private DistributionLockAdvisor(
            int order, ConfigurableApplicationContext context, Function<LockExecutor, LockTemplate> templateOver) {
        this.order = order;
        this.beans = context.getBeanFactory();
        this.lockedMethods = new LockMetadataSource(beans);
        this.collaborators = SingletonSupplier.of(() -> Collaborators.of(context, lockedMethods, templateOver));
        setClassFilter(this);
    }

    /**
     * @param order that of its advice among the advice of other advisors; with the highest precedence it is outside of all of them
     * @param templateOver makes the template of an executor that an annotation names
     */
    public static DistributionLockAdvisor of(
            int order, ConfigurableApplicationContext context, Function<LockExecutor, LockTemplate> templateOver) {
        return order == Ordered.HIGHEST_PRECEDENCE
                ? new Outermost(context, templateOver)
                : new DistributionLockAdvisor(order, context, templateOver);
    }

    /** {@link PriorityOrdered} puts it outside even of other advice with the highest precedence. */
    private static final class Outermost extends DistributionLockAdvisor implements PriorityOrdered {

        Outermost(ConfigurableApplicationContext context, Function<LockExecutor, LockTemplate> templateOver) {
            super(Ordered.HIGHEST_PRECEDENCE, context, templateOver);
        }
    }

    public LockMetadataSource lockedMethods() {
        return lockedMethods;
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
        return lockedMethods.anyIn(type) && ProxyableTypes.reaches(type, beans);
    }

    @Override
    public boolean matches(Method method, Class<?> targetClass) {
        return !Modifier.isStatic(method.getModifiers()) && lockedMethods.find(method, targetClass) != null;
    }

    @Override
    public Advice getAdvice() {
        return collaborators().advice();
    }

    /** What the advice works with. Created at the first call. */
    public Collaborators collaborators() {
        return collaborators.get();
    }

    /** What the advice works with, and how the start checks it. */
    public record Collaborators(
            LockTemplates templates,
            FailureMappers failureMappers,
            Supplier<LockKeyResolver> keyResolver,
            Supplier<LockOverrides> overrides,
            Advice advice) {

        private static Collaborators of(
                ConfigurableApplicationContext context,
                LockMetadataSource lockedMethods,
                Function<LockExecutor, LockTemplate> templateOver) {
            ConfigurableListableBeanFactory beans = context.getBeanFactory();
            // By name: a search by type would ask factories that are being created.
            LockEvents events = beans.getBean("distributionLockEvents", LockEvents.class);
            LockTemplates templates = new LockTemplates(context, templateOver);
            FailureMappers mappers = new FailureMappers(beans);
            Supplier<LockKeyResolver> keyResolver = SingletonSupplier.of(() ->
                    beans.getBeanProvider(LockKeyResolver.class).getIfAvailable(() -> LockKeyResolver.standard(beans)));
            Supplier<LockOverrides> overrides = SingletonSupplier.of(() -> beans.getBean(LockOverrides.class));
            FailureAnswers answers = new FailureAnswers(mappers, events, context);
            Supplier<LockScope> scope = SingletonSupplier.of(() -> beans.getBean(LockScope.class));
            Advice advice =
                    new DistributionLockInterceptor(lockedMethods, templates, keyResolver, overrides, answers, scope);
            return new Collaborators(templates, mappers, keyResolver, overrides, advice);
        }
    }
}
