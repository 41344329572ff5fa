package io.distributionlock.interceptor;

import io.distributionlock.HeldLocks;
import io.distributionlock.internal.Internal;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.springframework.aop.Advisor;
import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.beans.factory.config.BeanPostProcessor;

/**
 * Tells the locks of a call that its method runs: no advice between the two, such as that of security, validation or a cache, has
 * answered the call itself. Stands behind all other advice of a bean with locks, also behind advice that post-processors add.
 *
 * @hidden
 */
@Internal
public final class MethodReached implements BeanPostProcessor {

    private static final String HELD = MethodReached.class.getName();

    private static final MethodInterceptor ADVICE = invocation -> {
        if (invocation instanceof ProxyMethodInvocation proxied
                && proxied.getUserAttribute(HELD) instanceof HeldLocks held) {
            held.methodReached();
        }
        return invocation.proceed();
    };

    /** Has no order, so it comes after the post-processors of Spring that add advice. */
    @Override
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        if (bean instanceof Advised advised && !advised.isFrozen()) {
            for (Advisor advisor : advised.getAdvisors()) {
                if (advisor instanceof DistributionLockAdvisor locks) {
                    advised.addAdvisor(new DefaultPointcutAdvisor(locks.getPointcut(), ADVICE));
                    return bean;
                }
            }
        }
        return bean;
    }

    /** Lets these locks know whether the method runs. If its proxy cannot tell, they take it that it does. */
    static void expect(MethodInvocation invocation, HeldLocks held) {
        if (held.haveMinHoldTime() && invocation instanceof ProxyMethodInvocation proxied && tells(proxied)) {
            held.expectMethod();
            proxied.setUserAttribute(HELD, held);
        }
    }

    private static boolean tells(ProxyMethodInvocation invocation) {
        if (!(invocation.getProxy() instanceof Advised advised)) {
            return false;
        }
        Advisor[] advisors = advised.getAdvisors();
        return advisors[advisors.length - 1] instanceof DefaultPointcutAdvisor last && last.getAdvice() == ADVICE;
    }
}
