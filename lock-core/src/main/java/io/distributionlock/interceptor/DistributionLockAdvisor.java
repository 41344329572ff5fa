package io.distributionlock.interceptor;

import io.distributionlock.internal.Internal;
import java.util.Objects;
import org.aopalliance.aop.Advice;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.Advisor;
import org.springframework.aop.Pointcut;
import org.springframework.aop.PointcutAdvisor;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.Ordered;
import org.springframework.core.PriorityOrdered;
import org.springframework.core.annotation.Order;
import org.springframework.core.annotation.OrderUtils;

/**
 * The aspect of {@code @DistributionLock}, written as an advisor, because the pointcut of an {@code @Aspect} misses the annotations of
 * interfaces and composed ones, and needs AspectJ. It differs in that {@code distribution-lock.advice.order} can replace its order.
 *
 * <p>Its advice, the {@link DistributionLockInterceptor}, is outside of that of all other advisors unless the application sets another
 * order: a lock must outlive the transaction. Post-processors that put their advice before existing advice are outside of it
 * nevertheless, such as those of {@code @Async}.
 *
 * @hidden
 */
@Internal
@Order(Ordered.HIGHEST_PRECEDENCE)
public sealed class DistributionLockAdvisor implements PointcutAdvisor, Ordered {

    /** The order that the annotation above says. */
    public static final int DEFAULT_ORDER = Objects.requireNonNull(OrderUtils.getOrder(DistributionLockAdvisor.class));

    private final int order;
    private final Pointcut pointcut;
    private final ConfigurableListableBeanFactory beans;
    private final String interceptor;

    private DistributionLockAdvisor(
            int order, LockMetadataSource lockedMethods, ConfigurableListableBeanFactory beans, String interceptor) {
        this.order = order;
        this.pointcut = new LockedMethodPointcut(lockedMethods, beans);
        this.beans = beans;
        this.interceptor = interceptor;
    }

    /**
     * @param order that of its advice among the advice of other advisors; with the highest precedence it is outside of all of them
     * @param interceptor the bean of the advice, created for the first locked bean: an application without one does not pay for it
     */
    public static DistributionLockAdvisor of(
            int order, LockMetadataSource lockedMethods, ConfigurableListableBeanFactory beans, String interceptor) {
        return order == Ordered.HIGHEST_PRECEDENCE
                ? new Outermost(lockedMethods, beans, interceptor)
                : new DistributionLockAdvisor(order, lockedMethods, beans, interceptor);
    }

    /** {@link PriorityOrdered} puts it outside even of other advice with the highest precedence. */
    private static final class Outermost extends DistributionLockAdvisor implements PriorityOrdered {

        Outermost(LockMetadataSource lockedMethods, ConfigurableListableBeanFactory beans, String interceptor) {
            super(Ordered.HIGHEST_PRECEDENCE, lockedMethods, beans, interceptor);
        }
    }

    @Override
    public int getOrder() {
        return order;
    }

    @Override
    public Pointcut getPointcut() {
        return pointcut;
    }

    @Override
    public Advice getAdvice() {
        return beans.getBean(interceptor, Advice.class);
    }

    /** Whether an object is a proxy with this advice, or one in front of such a proxy, as of a bean that is handed on as another bean. */
    static boolean advises(@Nullable Object bean) {
        for (Object next = bean; next instanceof Advised proxy; next = AopProxyUtils.getSingletonTarget(proxy)) {
            for (Advisor advisor : proxy.getAdvisors()) {
                if (advisor instanceof DistributionLockAdvisor) {
                    return true;
                }
            }
        }
        return false;
    }
}
