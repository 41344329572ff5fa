package io.distributionlock.leader;

import io.distributionlock.annotation.InvalidLockDefinitionException;
import io.distributionlock.annotation.LeaderOnly;
import io.distributionlock.annotation.LockProblem;
import io.distributionlock.internal.Internal;
import io.distributionlock.internal.MessageText;
import io.distributionlock.reflect.DeclaredMethods;
import io.distributionlock.reflect.HierarchySearch;
import io.distributionlock.reflect.MethodText;
import io.distributionlock.reflect.Placeholders;
import io.distributionlock.reflect.TypeHierarchy;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;
import org.springframework.aop.support.StaticMethodMatcherPointcutAdvisor;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.BeanFactoryAware;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.util.ClassUtils;

/**
 * Lets methods with {@link LeaderOnly} run only on the leader. The elections are looked up late, so that they are not created before
 * their post-processors.
 *
 * @hidden
 */
@Internal
public final class LeaderOnlyAdvisor extends StaticMethodMatcherPointcutAdvisor implements BeanFactoryAware {

    private static final long serialVersionUID = 1L;
    private static final Log log = LogFactory.getLog(LeaderOnly.class);

    private final transient HierarchySearch declared = new HierarchySearch(LeaderOnlyAdvisor::declaresMethod);
    private final transient Map<Class<?>, List<Method>> annotated = new ConcurrentHashMap<>();
    private transient @Nullable ConfigurableListableBeanFactory beanFactory;
    private transient volatile @Nullable Map<String, LeaderElection> elections;

    public LeaderOnlyAdvisor() {
        setAdvice((MethodInterceptor) this::invoke);
        setOrder(Ordered.HIGHEST_PRECEDENCE);
        setClassFilter(this::matches);
    }

    /** @param owner where the elections are found */
    @Override
    public void setBeanFactory(BeanFactory owner) {
        beanFactory = (ConfigurableListableBeanFactory) owner;
    }

    private ConfigurableListableBeanFactory beans() {
        return Objects.requireNonNull(beanFactory, "setBeanFactory was not called");
    }

    private boolean matches(Class<?> type) {
        Class<?> userClass = ClassUtils.getUserClass(type);
        if (!declared.finds(userClass)) {
            return false;
        }
        annotated.computeIfAbsent(userClass, LeaderOnlyAdvisor::find);
        return true;
    }

    private static boolean declaresMethod(Class<?> type) {
        return DeclaredMethods.anyOf(type, LeaderOnlyAdvisor::isAnnotated);
    }

    private static boolean isAnnotated(Method method) {
        return !method.isSynthetic() && AnnotatedElementUtils.isAnnotated(method, LeaderOnly.class);
    }

    private static List<Method> find(Class<?> userClass) {
        List<Method> found = new ArrayList<>();
        for (Class<?> type : TypeHierarchy.ofApplication(userClass)) {
            for (Method method : DeclaredMethods.of(type)) {
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

    private @Nullable Object invoke(MethodInvocation call) throws Throwable {
        Class<?> target = AopUtils.getTargetClass(Objects.requireNonNull(call.getThis()));
        Method method = AopUtils.getMostSpecificMethod(call.getMethod(), target);
        if (electionOf(method).isLeader()) {
            return call.proceed();
        }
        log.debug("Skipped " + MethodText.of(method) + ", because this instance does not lead");
        return null;
    }

    private LeaderElection electionOf(Method method) {
        String written = Objects.requireNonNull(AnnotatedElementUtils.findMergedAnnotation(method, LeaderOnly.class))
                .value();
        String name;
        try {
            name = new Placeholders(beans()).resolve(written);
        } catch (IllegalArgumentException e) {
            throw invalid(
                    method,
                    written,
                    " has a placeholder that cannot be resolved: " + MessageText.sentence(e),
                    "Set the property, or give the placeholder a default: ${property:default}.");
        }
        LeaderElection election = elections().get(name);
        if (election == null) {
            throw invalid(
                    method,
                    written,
                    " names the election '" + MessageText.of(name) + "', which this application does not have.",
                    "Add the name to distribution-lock.leader.elections, or declare a LeaderElection bean with it."
                            + " Elections so far: " + MessageText.of(elections().keySet()) + ".");
        }
        return election;
    }

    private static InvalidLockDefinitionException invalid(Method method, String written, String what, String cure) {
        String place = "@LeaderOnly(\"" + MessageText.of(written) + "\") on " + MethodText.of(method);
        return new InvalidLockDefinitionException(List.of(new LockProblem(place + what, cure)));
    }

    private Map<String, LeaderElection> elections() {
        Map<String, LeaderElection> known = elections;
        if (known == null) {
            known = new TreeMap<>();
            for (LeaderElection election : BeanFactoryUtils.beansOfTypeIncludingAncestors(beans(), LeaderElection.class)
                    .values()) {
                known.put(election.name(), election);
            }
            elections = known;
        }
        return known;
    }

    /** Whether a bean that exists has such a method. */
    public boolean hasMethods() {
        return !annotated.isEmpty();
    }

    /**
     * Checks the methods of the beans that exist, and the names of the elections.
     *
     * @param fail whether a problem stops the start; otherwise it is logged as a warning
     * @throws InvalidLockDefinitionException if there are problems and they are to stop the start
     */
    public void check(boolean fail) {
        List<LockProblem> problems = new ArrayList<>();
        for (List<Method> methods : annotated.values()) {
            methods.forEach(method -> check(method, problems));
        }
        checkNames(problems);
        if (fail && !problems.isEmpty()) {
            throw new InvalidLockDefinitionException(problems);
        }
        problems.forEach(problem -> log.warn(problem.description() + " " + problem.cure()));
    }

    /** Looks only where Spring looks for what it starts, so nothing is created for this check. */
    private void checkNames(List<LockProblem> problems) {
        Map<String, String> beans = new TreeMap<>();
        BeanFactoryUtils.beansOfTypeIncludingAncestors(beans(), LeaderElection.class, false, false)
                .forEach((bean, election) -> {
                    String other = beans.putIfAbsent(election.name(), bean);
                    if (other != null) {
                        problems.add(new LockProblem(
                                "The beans '" + MessageText.of(other) + "' and '" + MessageText.of(bean)
                                        + "' both stand in the election '" + MessageText.of(election.name())
                                        + "', so @LeaderOnly may ask the one that does not lead.",
                                "Remove one of them, or the name from distribution-lock.leader.elections."));
                    }
                });
    }

    private void check(Method method, List<LockProblem> problems) {
        String place = "@LeaderOnly on " + MethodText.of(method);
        if ((method.getModifiers() & (Modifier.PRIVATE | Modifier.STATIC | Modifier.FINAL)) != 0) {
            problems.add(LockProblem.unlocked(
                    place + " has no effect, because no proxy overrides a private, static or final method.",
                    "Make it a public method that is neither static nor final."));
        }
        if (method.getReturnType() != void.class) {
            problems.add(new LockProblem(
                    place + " returns a value, which the instances that skip it do not have.",
                    "Return void, or ask LeaderElection.isLeader() instead."));
        }
        try {
            electionOf(method);
        } catch (InvalidLockDefinitionException noElection) {
            problems.addAll(noElection.problems());
        }
    }
}
