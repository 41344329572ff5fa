package io.distributionlock.interceptor;

import io.distributionlock.LockKind;
import io.distributionlock.LockTemplate;
import io.distributionlock.annotation.LockProblem;
import io.distributionlock.internal.Internal;
import io.distributionlock.internal.MessageText;
import io.distributionlock.reflect.MethodText;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.beans.factory.annotation.BeanFactoryAnnotationUtils;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.AbstractBeanDefinition;
import org.springframework.beans.factory.support.AutowireCandidateQualifier;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * The templates of an application: the default one, and others by name. Each is looked up once, at the first call.
 *
 * @hidden
 */
@Internal
public final class LockTemplates {

    private static final String DEFAULT = "";
    private static final String LIKE_A_MOCK = " has no kind of lock, as a mock has none.";
    private static final String CURE_OF_MOCK =
            "Remove the mock, and give the test locks in memory: put @LocalLocks or @ScriptedLocks of"
                    + " lock-spring-boot-test on it.";

    private final ConfigurableListableBeanFactory beanFactory;
    private final ConfigurableApplicationContext context;
    private final Map<String, LockTemplate> templates = new ConcurrentHashMap<>();

    LockTemplates(ConfigurableApplicationContext context) {
        this.context = context;
        this.beanFactory = context.getBeanFactory();
    }

    /** @param executor the qualifier or the bean name of a template, or empty for the default */
    LockTemplate of(String executor) {
        LockTemplate known = templates.get(executor);
        if (known == null) {
            known = executor.equals(DEFAULT) ? defaultTemplate() : named(executor);
            templates.put(executor, known);
        }
        return known;
    }

    /**
     * The template for a call of this method.
     *
     * @throws IllegalStateException if no template can lock, because the application is shut down or it has no kind of lock
     */
    LockTemplate forCall(LockedMethod method) {
        String executor = method.executor();
        if (!templates.containsKey(executor) && isShutDown()) {
            throw new IllegalStateException(MethodText.of(method.method())
                    + " was called after the application had been shut down, so its lock cannot be acquired. Call it"
                    + " before the context closes.");
        }
        LockTemplate template = of(executor);
        if (template.kinds().isEmpty()) {
            throw new IllegalStateException(MethodText.of(method.method())
                    + " cannot be locked, because its LockTemplate" + LIKE_A_MOCK + " " + CURE_OF_MOCK);
        }
        return template;
    }

    /** Looking up a bean now would create it again, with connections that nothing closes. */
    private boolean isShutDown() {
        return context.isClosed()
                && beans().entrySet().stream().noneMatch(bean -> bean.getValue().containsSingleton(bean.getKey()));
    }

    private LockTemplate named(String executor) {
        if (!isKnown(executor)) {
            throw new IllegalStateException(
                    "There is no executor '" + executor + "' for locks. There are: " + names() + ".");
        }
        return BeanFactoryAnnotationUtils.qualifiedBeanOfType(beanFactory, LockTemplate.class, executor);
    }

    private LockTemplate defaultTemplate() {
        List<String> candidates = defaultCandidates();
        return candidates.size() == 1
                ? beanFactory.getBean(candidates.get(0), LockTemplate.class)
                : beanFactory.getBean(LockTemplate.class);
    }

    /** Reports that methods which name no executor have no template, or more than one. */
    public List<LockProblem> checkDefault() {
        List<String> candidates = defaultCandidates();
        if (candidates.isEmpty()) {
            return List.of(new LockProblem(
                    "There are methods with @DistributionLock, but no LockTemplate that could lock them.",
                    "Add spring-boot-starter-data-redis and configure spring.data.redis.*, set distribution-lock.executor"
                            + " to 'local' for a single process, or declare a LockExecutor bean."));
        }
        try {
            defaultTemplate();
            return List.of();
        } catch (NoUniqueBeanDefinitionException e) {
            return List.of(new LockProblem(
                    "There are methods with @DistributionLock that name no executor, and several LockTemplates: "
                            + String.join(", ", candidates) + ".",
                    "Mark one of them as @Primary, or name one in 'executor' at each method."));
        }
    }

    /** Whether there is a template for methods that name none. */
    private boolean hasDefault() {
        return !defaultCandidates().isEmpty();
    }

    private List<String> defaultCandidates() {
        List<String> candidates = new ArrayList<>();
        beans().forEach((bean, owner) -> {
            boolean onlyByName = owner.containsBeanDefinition(bean)
                    && owner.getMergedBeanDefinition(bean) instanceof AbstractBeanDefinition definition
                    && !definition.isDefaultCandidate();
            if (!onlyByName) {
                candidates.add(bean);
            }
        });
        return candidates;
    }

    /** Reports executors that do not exist or lack the kind of lock that the method asks for. */
    public List<LockProblem> check(LockedMethod method) {
        List<LockProblem> problems = new ArrayList<>();
        for (DeclaredLock lock : method.locks()) {
            String executor = lock.settings().executor();
            LockKind kind = lock.settings().kind();
            if (executor.isEmpty() ? !hasDefault() : !isKnown(executor)) {
                if (!executor.isEmpty()) {
                    problems.add(unknown(
                            method, executor, lock.declaration().annotation().executor()));
                }
            } else if (kind != LockKind.REENTRANT && !of(executor).kinds().contains(kind)) {
                problems.add(withoutKind(method, executor, lock.settings()));
            }
        }
        return problems;
    }

    private LockProblem unknown(LockedMethod method, String executor, String written) {
        String resolved = written.equals(executor) ? "" : " (" + MessageText.of(executor) + ")";
        return new LockProblem(
                method.place() + " has executor = \"" + written + "\"" + resolved
                        + ", but there is no such executor. There are: " + names() + ".",
                "Correct the name, describe the executor by distribution-lock.executors." + executor
                        + ", or declare a LockTemplate bean with this name.");
    }

    private LockProblem withoutKind(LockedMethod method, String executor, LockSettings asked) {
        boolean permits = asked.kind() == LockKind.PERMIT;
        String has = method.place() + " has " + (permits ? "permits = " + asked.permits() : "kind = " + asked.kind());
        if (of(executor).kinds().isEmpty()) {
            return new LockProblem(has + ", but its LockTemplate" + LIKE_A_MOCK, CURE_OF_MOCK);
        }
        return new LockProblem(
                has + ", but " + (executor.isEmpty() ? "the executor" : "executor '" + executor + "'") + " has only "
                        + of(executor).kinds() + ".",
                permits
                        ? "Leave 'permits' out, or set 'executor' to one that has permits: a quorum has none."
                        : "Set 'kind' to one of these, or 'executor' to one that has this kind.");
    }

    boolean isKnown(String executor) {
        for (String bean : beans().keySet()) {
            if (BeanFactoryAnnotationUtils.isQualifierMatch(executor::equals, bean, beanFactory)) {
                return true;
            }
        }
        return false;
    }

    /** The names by which templates can be selected. */
    Set<String> names() {
        Set<String> names = new TreeSet<>();
        beans().forEach((bean, owner) -> names.add(nameOf(bean, owner)));
        return names;
    }

    private static String nameOf(String bean, ConfigurableListableBeanFactory owner) {
        BeanDefinition definition = owner.containsBeanDefinition(bean) ? owner.getMergedBeanDefinition(bean) : null;
        if (definition instanceof AbstractBeanDefinition qualified) {
            AutowireCandidateQualifier qualifier = qualified.getQualifier(Qualifier.class.getName());
            if (qualifier != null) {
                return String.valueOf(qualifier.getAttribute(AutowireCandidateQualifier.VALUE_KEY));
            }
        }
        return bean;
    }

    /** The names of the templates of this context and its parents, each with the factory that has it. */
    private Map<String, ConfigurableListableBeanFactory> beans() {
        Map<String, ConfigurableListableBeanFactory> owners = new LinkedHashMap<>();
        BeanFactory next = beanFactory;
        while (next instanceof ConfigurableListableBeanFactory owner) {
            for (String bean : owner.getBeanNamesForType(LockTemplate.class, true, false)) {
                owners.putIfAbsent(bean, owner);
            }
            next = owner.getParentBeanFactory();
        }
        return owners;
    }
}
