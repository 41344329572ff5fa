package io.distributionlock.leader;

import io.distributionlock.annotation.LeaderOnly;
import io.distributionlock.annotation.LockProblem;
import io.distributionlock.internal.Internal;
import io.distributionlock.internal.TypeHierarchy;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import org.aopalliance.aop.Advice;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.ClassFilter;
import org.springframework.aop.Pointcut;
import org.springframework.aop.PointcutAdvisor;
import org.springframework.aop.support.AopUtils;
import org.springframework.aop.support.StaticMethodMatcherPointcut;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.BeanFactoryAware;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.PriorityOrdered;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils.MethodFilter;

/**
 * Lets methods with {@link LeaderOnly} run only on the leader.
 *
 * <p>Stands outside of the locks, which have the same order but are registered later: an instance that does not lead must not keep the
 * leader from its lock.
 *
 * @hidden
 */
@Internal
public final class LeaderOnlyAdvisor extends StaticMethodMatcherPointcut
        implements PointcutAdvisor, ClassFilter, PriorityOrdered, BeanFactoryAware {

    private final Predicate<Class<?>> declared = TypeHierarchy.search(LeaderOnlyAdvisor::isAnnotated);
    private final Set<Class<?>> annotated = ConcurrentHashMap.newKeySet();
    private @Nullable LeaderOnlyInterceptor interceptor;

    public LeaderOnlyAdvisor() {
        setClassFilter(this);
    }

    /** @param beans where the elections are found */
    @Override
    public void setBeanFactory(BeanFactory beans) {
        interceptor = new LeaderOnlyInterceptor((ConfigurableListableBeanFactory) beans);
    }

    private LeaderOnlyInterceptor interceptor() {
        return Objects.requireNonNull(interceptor, "setBeanFactory was not called");
    }

    @Override
    public int getOrder() {
        return HIGHEST_PRECEDENCE;
    }

    @Override
    public Advice getAdvice() {
        return interceptor();
    }

    @Override
    public Pointcut getPointcut() {
        return this;
    }

    @Override
    public boolean matches(Class<?> type) {
        Class<?> userClass = ClassUtils.getUserClass(type);
        boolean found = declared.test(userClass);
        if (found) {
            annotated.add(userClass);
        }
        return found;
    }

    private static boolean isAnnotated(AnnotatedElement element) {
        return element instanceof Method method
                && !method.isSynthetic()
                && method.getDeclaredAnnotations().length > 0
                && AnnotatedElementUtils.isAnnotated(method, LeaderOnly.class);
    }

    @Override
    public boolean matches(Method method, Class<?> targetClass) {
        return isForLeader(AopUtils.getMostSpecificMethod(method, targetClass));
    }

    private static boolean isForLeader(Method method) {
        return AnnotatedElementUtils.hasAnnotation(method, LeaderOnly.class);
    }

    /** Whether a bean that exists has such a method. */
    public boolean hasMethods() {
        return !annotated.isEmpty();
    }

    /** What is wrong with the methods of the beans that exist, and with the names of the elections. */
    public List<LockProblem> problems() {
        LeaderOnlyCheck check = new LeaderOnlyCheck(interceptor());
        check.names();
        for (Class<?> type : annotated) {
            MethodIntrospector.selectMethods(type, (MethodFilter) LeaderOnlyAdvisor::isForLeader)
                    .forEach(check::method);
        }
        return check.problems();
    }
}
