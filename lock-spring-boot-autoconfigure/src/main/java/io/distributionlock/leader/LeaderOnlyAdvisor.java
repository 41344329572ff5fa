package io.distributionlock.leader;

import io.distributionlock.annotation.LeaderOnly;
import io.distributionlock.annotation.LockProblem;
import io.distributionlock.internal.Internal;
import io.distributionlock.reflect.HierarchySearch;
import io.distributionlock.reflect.TypeHierarchy;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
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
import org.springframework.core.PriorityOrdered;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.util.ClassUtils;

/**
 * Lets methods with {@link LeaderOnly} run only on the leader. Loads nothing else of elections unless there is such a method.
 *
 * <p>Stands outside of the locks, which have the same order but are registered later: whoever does not lead must not keep the leader
 * from its lock.
 *
 * @hidden
 */
@Internal
public final class LeaderOnlyAdvisor extends StaticMethodMatcherPointcut
        implements PointcutAdvisor, ClassFilter, PriorityOrdered, BeanFactoryAware {

    private final HierarchySearch declared = new HierarchySearch(LeaderOnlyAdvisor::isAnnotated);
    private final Map<Class<?>, List<Method>> annotated = new ConcurrentHashMap<>();
    private @Nullable ConfigurableListableBeanFactory beanFactory;
    private @Nullable Advice advice;

    public LeaderOnlyAdvisor() {
        setClassFilter(this);
    }

    /** @param owner where the elections are found */
    @Override
    public void setBeanFactory(BeanFactory owner) {
        beanFactory = (ConfigurableListableBeanFactory) owner;
    }

    private ConfigurableListableBeanFactory beans() {
        return Objects.requireNonNull(beanFactory, "setBeanFactory was not called");
    }

    @Override
    public int getOrder() {
        return HIGHEST_PRECEDENCE;
    }

    @Override
    public synchronized Advice getAdvice() {
        if (advice == null) {
            advice = new LeaderOnlyInterceptor(beans());
        }
        return advice;
    }

    @Override
    public Pointcut getPointcut() {
        return this;
    }

    @Override
    public boolean matches(Class<?> type) {
        Class<?> userClass = ClassUtils.getUserClass(type);
        if (!declared.finds(userClass)) {
            return false;
        }
        annotated.computeIfAbsent(userClass, LeaderOnlyAdvisor::find);
        return true;
    }

    private static boolean isAnnotated(AnnotatedElement element) {
        return element instanceof Method method
                && !method.isSynthetic()
                && method.getDeclaredAnnotations().length > 0
                && AnnotatedElementUtils.isAnnotated(method, LeaderOnly.class);
    }

    private static List<Method> find(Class<?> userClass) {
        List<Method> found = new ArrayList<>();
        for (Class<?> type : TypeHierarchy.of(userClass)) {
            for (Method method : type.getDeclaredMethods()) {
                if (isAnnotated(method)) {
                    found.add(method);
                }
            }
        }
        return List.copyOf(found);
    }

    @Override
    public boolean matches(Method method, Class<?> targetClass) {
        return AnnotatedElementUtils.hasAnnotation(
                AopUtils.getMostSpecificMethod(method, targetClass), LeaderOnly.class);
    }

    /** Whether a bean that exists has such a method. */
    public boolean hasMethods() {
        return !annotated.isEmpty();
    }

    /** What is wrong with the methods of the beans that exist, and with the names of the elections. */
    public List<LockProblem> problems() {
        return new LeaderOnlyCheck(beans(), (LeaderOnlyInterceptor) getAdvice()).check(annotated.values());
    }
}
