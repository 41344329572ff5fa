package io.distributionlock.interceptor;

import io.distributionlock.annotation.InvalidLockDefinitionException;
import io.distributionlock.annotation.LockProblem;
import io.distributionlock.hold.LockScope;
import io.distributionlock.internal.Internal;
import io.distributionlock.internal.KotlinMethods;
import io.distributionlock.internal.MethodText;
import io.distributionlock.internal.TypeHierarchy;
import io.distributionlock.key.LockDeclaration;
import io.distributionlock.key.LockKeyResolver;
import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.AopInfrastructureBean;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/**
 * Checks the locks of all beans at start-up, and reports every problem at once, in the order of classes and methods.
 *
 * @hidden
 */
@Internal
public final class LockDefinitionValidator implements AopInfrastructureBean {

    private static final Log log = LogFactory.getLog(LockDefinitionValidator.class);
    /** A mock that a test has put in the place of a bean has no proxy, and looks like any other object. */
    private static final String MOCKITO = "org.mockito.Mockito";

    private static final Comparator<LockProblem> BY_TEXT = Comparator.comparing(LockProblem::description);

    private final ConfigurableListableBeanFactory beanFactory;
    private final LockMetadataSource lockedMethods;
    private final LockTemplates templates;
    private final FailureMappers failureMappers;
    private final Supplier<LockKeyResolver> keyResolver;
    private final LockOverrides overrides;
    private final Supplier<LockScope> scope;
    private final LockedBeans beans;
    private final boolean failOnProblems;

    /** @param failOnProblems whether a problem stops the start; otherwise it is logged as a warning */
    public LockDefinitionValidator(
            ConfigurableListableBeanFactory beanFactory,
            LockMetadataSource lockedMethods,
            LockTemplates templates,
            Supplier<LockKeyResolver> keyResolver,
            LockOverrides overrides,
            Supplier<LockScope> scope,
            boolean failOnProblems) {
        this.beanFactory = beanFactory;
        this.lockedMethods = lockedMethods;
        this.templates = templates;
        this.failureMappers = new FailureMappers(beanFactory);
        this.keyResolver = keyResolver;
        this.overrides = overrides;
        this.scope = scope;
        this.beans = new LockedBeans(beanFactory, lockedMethods);
        this.failOnProblems = failOnProblems;
    }

    /**
     * @param others what is wrong besides the locks
     * @throws InvalidLockDefinitionException if there are problems and they are to stop the start
     */
    public void check(Collection<LockProblem> others) {
        List<LockProblem> problems = problems();
        problems.addAll(others);
        report(problems, failOnProblems);
    }

    /**
     * Checks one that appears after the start, as {@link #check} checks those that the start knows.
     *
     * @throws InvalidLockDefinitionException if there are problems and they are to stop the start
     */
    public void checkLate(String beanName, Object bean) {
        Class<?> type = AopProxyUtils.ultimateTargetClass(bean);
        CommitGuardChecks guards = new CommitGuardChecks(templates, overrides, scope);
        List<LockProblem> problems = problems(beanName, type, bean, new ConsistencyChecks(overrides), guards);
        if (lockedMethods(type).stream().anyMatch(method -> method.executor().isEmpty())) {
            problems.addAll(templates.checkDefault());
        }
        report(problems, failOnProblems);
    }

    /**
     * @param fail whether a problem stops the start; otherwise it is logged as a warning
     * @throws InvalidLockDefinitionException if there are problems and they are to stop the start
     */
    public static void report(List<LockProblem> problems, boolean fail) {
        if (fail && !problems.isEmpty()) {
            throw new InvalidLockDefinitionException(problems);
        }
        problems.forEach(LockDefinitionValidator::warn);
    }

    /** Where problems are only logged, the line says which methods run unlocked. */
    private static void warn(LockProblem problem) {
        String cost = problem.unlocked() ? "RUNS UNLOCKED: " : "";
        log.warn(cost + problem.description() + " " + problem.action());
    }

    private List<LockProblem> problems() {
        Set<LockProblem> problems = new LinkedHashSet<>(failureMappers.check());
        ConsistencyChecks consistency = new ConsistencyChecks(overrides);
        CommitGuardChecks guards = new CommitGuardChecks(templates, overrides, scope);
        List<LockMetadata> all = new ArrayList<>();
        boolean anyByDefault = false;
        for (LockedBeans.TypedBean bean : beans.byClass()) {
            if (!lockedMethods.anyIn(bean.type())) {
                continue;
            }
            List<LockMetadata> locked = lockedMethods(bean.type());
            anyByDefault |= locked.stream().anyMatch(method -> method.executor().isEmpty());
            all.addAll(locked);
            problems.addAll(problems(bean.name(), bean.type(), beans.existing(bean.name()), consistency, guards));
        }
        if (anyByDefault) {
            problems.addAll(templates.checkDefault());
        }
        consistency.unknownKeys().forEach(log::warn);
        guards.unguarded().forEach(log::warn);
        new MissedAnswers(failureMappers, all).found().forEach(log::warn);
        return new ArrayList<>(problems);
    }

    /** @param bean itself, or {@code null} if it is not created yet */
    private List<LockProblem> problems(
            String beanName,
            Class<?> type,
            @Nullable Object bean,
            ConsistencyChecks consistency,
            CommitGuardChecks guards) {
        List<LockMetadata> locked = lockedMethods(type);
        List<LockProblem> problems = new ArrayList<>();
        for (LockMetadata method : locked) {
            List<LockProblem> own = check(method, beanName);
            problems.addAll(own);
            List<LockProblem> together = consistency.check(method, own.isEmpty());
            problems.addAll(together);
            problems.addAll(own.isEmpty() && together.isEmpty() ? guards.check(method) : List.of());
        }
        problems.addAll(parametersWithoutLock(type));
        if (bean != null && !locked.isEmpty()) {
            problems.addAll(missingProxy(beanName, bean, locked));
            problems.addAll(missingInProxy(beanName, bean, locked));
        }
        return problems;
    }

    /** By name: reflection tells the methods of a class in no order. */
    private List<LockMetadata> lockedMethods(Class<?> type) {
        return lockedMethods.allIn(type).stream()
                .sorted(Comparator.comparing(locked -> MethodText.of(locked.method())))
                .toList();
    }

    private List<LockProblem> check(LockMetadata method, String beanName) {
        List<LockProblem> problems = new ArrayList<>(method.problems());
        for (LockOperation lock : method.locks()) {
            LockDeclaration declaration = lock.declaration();
            if (!declaration.annotation().key().isBlank()
                    && !declaration.annotation().delimiter().isEmpty()) {
                problems.addAll(keyResolver.get().check(declaration));
            }
        }
        problems.addAll(templates.check(method));
        Class<?> type = method.targetClass();
        if (!LockedMethodPointcut.canProxy(type, beanFactory)) {
            problems.add(LockProblem.unlocked(
                    method.place() + " has no effect, because the class of bean '" + beanName
                            + "' is final: no proxy can extend it.",
                    KotlinMethods.actionForFinal(type, "Remove 'final' from the class.")));
        }
        problems.sort(BY_TEXT);
        return problems;
    }

    private List<LockProblem> parametersWithoutLock(Class<?> type) {
        List<LockProblem> problems = new ArrayList<>();
        for (Class<? extends Annotation> mark : LockMetadataSource.MARKS) {
            String name = "@" + mark.getSimpleName();
            for (Method method : lockedMethods.withoutLockBut(mark, type)) {
                problems.add(LockProblem.unlocked(
                        name + " on " + MethodText.of(method)
                                + " has no effect, because the method has no @DistributionLock.",
                        "Put @DistributionLock on the method, or remove " + name + " from its parameter."));
            }
        }
        problems.sort(BY_TEXT);
        return problems;
    }

    /** A bean that exists and has locks, but no proxy that acquires them. */
    private List<LockProblem> missingProxy(String beanName, Object bean, List<LockMetadata> locked) {
        if (bean instanceof AopInfrastructureBean
                || DistributionLockAdvisor.advises(bean)
                || !LockedMethodPointcut.canProxy(AopProxyUtils.ultimateTargetClass(bean), beanFactory)
                || locked.stream().anyMatch(method -> !method.problems().isEmpty())) {
            return List.of();
        }
        String description = "Bean '" + beanName + "' has @DistributionLock on "
                + MethodText.of(locked.get(0).method()) + ", but it is not proxied, so nothing would be locked.";
        if (ClassUtils.isPresent(MOCKITO, beanFactory.getBeanClassLoader())) {
            log.warn(description + " If it is a mock, that is right; otherwise the application does not start in"
                    + " production, where Mockito is not on the class path.");
            return List.of();
        }
        return List.of(LockProblem.unlocked(
                description,
                "It was probably created too early, because a BeanPostProcessor or an Advisor depends on it: break"
                        + " that dependency, or inject the bean there lazily (ObjectProvider, @Lazy). Or it was registered"
                        + " as a finished object: define it as a bean instead."));
    }

    /** Locked methods that the bean's proxy does not intercept. */
    private List<LockProblem> missingInProxy(String beanName, Object bean, List<LockMetadata> locked) {
        if (!AopUtils.isAopProxy(bean)) {
            return List.of();
        }
        List<LockProblem> problems = new ArrayList<>();
        for (LockMetadata method : locked) {
            String place = method.place() + " has no effect, because ";
            if (method.problems().isEmpty() && AopUtils.isJdkDynamicProxy(bean) && !isInInterface(method, bean)) {
                problems.add(LockProblem.unlocked(
                        place + "bean '" + beanName + "' is proxied by its interfaces and none of them has the method.",
                        "Declare the method in an interface, or set spring.aop.proxy-target-class=true."));
            }
            if (method.problems().isEmpty() && AopUtils.isCglibProxy(bean) && !isOverridden(method.method(), bean)) {
                problems.add(LockProblem.unlocked(
                        place + "the method is package-private, and the proxy of bean '" + beanName
                                + "' is in another package or class loader.",
                        "Make the method public or protected."));
            }
        }
        return problems;
    }

    private static boolean isInInterface(LockMetadata method, Object proxy) {
        return TypeHierarchy.declarationsOf(method.method(), method.targetClass()).stream()
                .map(Method::getDeclaringClass)
                .anyMatch(type -> type.isInterface() && type.isInstance(proxy));
    }

    private static boolean isOverridden(Method method, Object proxy) {
        Method called = ReflectionUtils.findMethod(proxy.getClass(), method.getName(), method.getParameterTypes());
        return called != null && called.getDeclaringClass() == proxy.getClass();
    }
}
