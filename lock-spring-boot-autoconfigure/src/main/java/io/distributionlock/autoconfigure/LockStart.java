package io.distributionlock.autoconfigure;

import io.distributionlock.LockExecutor;
import io.distributionlock.LockTemplate;
import io.distributionlock.annotation.LockProblem;
import io.distributionlock.interceptor.LockDefinitionValidator;
import io.distributionlock.interceptor.LockMetadataSource;
import io.distributionlock.interceptor.LockedBeans;
import io.distributionlock.leader.LeaderElection;
import io.distributionlock.leader.LeaderOnlyAdvisor;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.AopInfrastructureBean;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.aot.AotDetector;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.BeanFactoryAware;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.AutowireCapableBeanFactory;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/**
 * Finds every mistake at the end of the start, if the application has a locked method: creates the beans that lock, as if they were not
 * lazy, and checks all declarations. Does nothing otherwise. What the start cannot know is checked when it is made.
 *
 * <p>As infrastructure, it is made without a search for advisors, which would create these and factories too early.
 */
final class LockStart
        implements SmartInitializingSingleton, BeanPostProcessor, BeanFactoryAware, AopInfrastructureBean {

    private @Nullable ConfigurableListableBeanFactory beanFactory;
    private volatile boolean locks;

    /** The classes that are checked already; {@code null} during the start. */
    private volatile @Nullable Set<Class<?>> checked;

    @Override
    public void setBeanFactory(BeanFactory owner) {
        beanFactory = (ConfigurableListableBeanFactory) owner;
    }

    @Override
    public void afterSingletonsInstantiated() {
        Set<Class<?>> known = ConcurrentHashMap.newKeySet();
        known.addAll(start(Objects.requireNonNull(beanFactory)));
        checked = known;
    }

    /** Whether the application has a locked method, and locking is not switched off. */
    boolean locks() {
        return locks;
    }

    private Set<Class<?>> start(ConfigurableListableBeanFactory beans) {
        if (AotDetector.useGeneratedArtifacts()) {
            LockProperties properties = beans.getBean(LockProperties.class);
            List<LockProblem> problems = new AheadOfTimeCheck(beans, properties).problems();
            LockDefinitionValidator.report(problems, stopsAtProblems(properties));
        }
        LeaderOnlyAdvisor leaderOnly = beans.getBean("distributionLockLeaderOnlyAdvisor", LeaderOnlyAdvisor.class);
        LockedBeans locked = new LockedBeans(beans, lockedMethods(beans));
        Set<Class<?>> types = locked.types();
        List<LockProblem> withoutProxies = locked.withoutProxies(leaderOnly::matches);
        if (!withoutProxies.isEmpty()) {
            LockDefinitionValidator.report(withoutProxies, stopsAtProblems(beans.getBean(LockProperties.class)));
        } else if (leaderOnly.hasMethods()
                || !types.isEmpty()
                || beans.getBeanNamesForType(LeaderElection.class, false, false).length > 0) {
            locks = beans.getBean(LockProperties.class).enabled();
            beans.getBeansOfType(LockExecutor.class, false, true);
            beans.getBeansOfType(LockTemplate.class, false, true);
            validator(beans).check(leaderOnly.problems());
        }
        return types;
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String name) {
        Set<Class<?>> known = checked;
        if (known != null && !name.endsWith(AutowireCapableBeanFactory.ORIGINAL_INSTANCE_SUFFIX)) {
            ConfigurableListableBeanFactory beans = Objects.requireNonNull(beanFactory);
            Class<?> type = AopProxyUtils.ultimateTargetClass(bean);
            if (!known.contains(type) && lockedMethods(beans).anyIn(type)) {
                validator(beans).checkLate(name, bean);
                known.add(type);
            }
        }
        return bean;
    }

    private static LockMetadataSource lockedMethods(ConfigurableListableBeanFactory beans) {
        return beans.getBean("distributionLockMetadataSource", LockMetadataSource.class);
    }

    private static LockDefinitionValidator validator(ConfigurableListableBeanFactory beans) {
        return beans.getBean("distributionLockDefinitionValidator", LockDefinitionValidator.class);
    }

    private static boolean stopsAtProblems(LockProperties properties) {
        return properties.validation() == LockProperties.Validation.FAIL;
    }
}
