package io.distributionlock.interceptor;

import io.distributionlock.LockExecutor;
import io.distributionlock.LockKind;
import io.distributionlock.LockTemplate;
import io.distributionlock.annotation.LockProblem;
import io.distributionlock.internal.Internal;
import io.distributionlock.internal.MessageText;
import io.distributionlock.internal.MethodText;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.AopInfrastructureBean;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.beans.factory.annotation.BeanFactoryAnnotationUtils;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.AbstractBeanDefinition;
import org.springframework.beans.factory.support.AutowireCandidateQualifier;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * The templates of an application: the default one, and others by the name of their bean or of an executor. Each is looked up once,
 * at the first call.
 *
 * @hidden
 */
@Internal
public final class LockTemplates implements AopInfrastructureBean {

    private static final String DEFAULT = "";

    /** The names of the beans that the library makes for the default. */
    private static final Set<String> OF_DEFAULT = Set.of("distributionLockTemplate", "distributionLockExecutor");

    private static final String LIKE_A_MOCK = " has no kind of lock, as a mock has none.";
    private static final String CURE_OF_MOCK =
            "Remove the mock, and give the test locks in memory: put @LocalLocks or @ScriptedLocks of"
                    + " lock-spring-boot-test on it.";

    private final ConfigurableListableBeanFactory beanFactory;
    private final ConfigurableApplicationContext context;
    private final Function<LockExecutor, LockTemplate> templateOver;
    private final Map<String, LockTemplate> templates = new ConcurrentHashMap<>();
    /** What methods name, as far as they are checked, but for the default. */
    private final Set<String> checked = new ConcurrentSkipListSet<>();

    /** @param templateOver makes the template of an executor that is named instead of a template */
    public LockTemplates(ConfigurableApplicationContext context, Function<LockExecutor, LockTemplate> templateOver) {
        this.context = context;
        this.templateOver = templateOver;
        this.beanFactory = context.getBeanFactory();
    }

    /** @param executor the qualifier or the bean name of a template or an executor, or empty for the default */
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
    LockTemplate forCall(LockMetadata method) {
        String executor = method.executor();
        if (isShutDown()) {
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

    /** Its executors are closed, and looking up any bean that a call needs would create that again. */
    private boolean isShutDown() {
        return context.isClosed()
                && beans(LockTemplate.class).entrySet().stream()
                        .noneMatch(bean -> bean.getValue().containsSingleton(bean.getKey()));
    }

    /** As {@link #of}; {@code null} if there is none, or more than one. */
    @Nullable
    LockTemplate ifUnique(String executor) {
        try {
            return of(executor);
        } catch (IllegalStateException | NoSuchBeanDefinitionException e) {
            return null;
        }
    }

    private LockTemplate named(String executor) {
        if (exists(LockTemplate.class, executor)) {
            return BeanFactoryAnnotationUtils.qualifiedBeanOfType(beanFactory, LockTemplate.class, executor);
        }
        if (exists(LockExecutor.class, executor)) {
            return templateOver.apply(
                    BeanFactoryAnnotationUtils.qualifiedBeanOfType(beanFactory, LockExecutor.class, executor));
        }
        throw new IllegalStateException(
                "There is no executor '" + executor + "' for locks. There are: " + names() + ".");
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
            return sharedWithDefault(defaultTemplate());
        } catch (NoUniqueBeanDefinitionException e) {
            return List.of(new LockProblem(
                    "There are methods with @DistributionLock that name no executor, and several LockTemplates: "
                            + String.join(", ", candidates) + ".",
                    "Mark one of them as @Primary, or name one in 'executor' at each method."));
        }
    }

    /** A bean that was meant to be a second one, and has become the only one: all methods would be locked there. */
    private List<LockProblem> sharedWithDefault(LockTemplate byDefault) {
        return checked.stream()
                .filter(name -> isSame(name, byDefault))
                .map(name -> new LockProblem(
                        "Methods with @DistributionLock that name no executor would be locked by '" + name
                                + "', which other methods name: it is the default.",
                        "Declare it by @Bean(defaultCandidate = false), so that it is a second one. If all locks belong"
                                + " there, remove 'executor' from those methods."))
                .toList();
    }

    private boolean isSame(String name, LockTemplate byDefault) {
        LockTemplate named = named(name);
        return exists(LockTemplate.class, name)
                ? named == byDefault
                : named.executor().backend() == byDefault.executor().backend();
    }

    /** Whether there is a template for methods that name none. */
    private boolean hasDefault() {
        return !defaultCandidates().isEmpty();
    }

    private List<String> defaultCandidates() {
        List<String> candidates = new ArrayList<>();
        beans(LockTemplate.class).forEach((bean, owner) -> {
            boolean onlyByName = owner.containsBeanDefinition(bean)
                    && owner.getMergedBeanDefinition(bean) instanceof AbstractBeanDefinition definition
                    && !definition.isDefaultCandidate();
            if (!onlyByName) {
                candidates.add(bean);
            }
        });
        return candidates;
    }

    /** Reports executors that do not exist, are ambiguous or lack the kind of lock that the method asks for. */
    public List<LockProblem> check(LockMetadata method) {
        List<LockProblem> problems = new ArrayList<>();
        for (LockOperation lock : method.locks()) {
            String executor = lock.settings().executor();
            String written = lock.declaration().annotation().executor();
            LockKind kind = lock.settings().kind();
            if (executor.isEmpty() ? !hasDefault() : !isKnown(executor)) {
                if (!executor.isEmpty()) {
                    problems.add(unknown(method, executor, written));
                }
            } else if (!executor.isEmpty() && isAmbiguous(executor)) {
                problems.add(ambiguous(method, executor, written));
            } else if (kind != LockKind.REENTRANT && !of(executor).kinds().contains(kind)) {
                problems.add(withoutKind(method, executor, lock.settings()));
            }
        }
        return problems;
    }

    private boolean isAmbiguous(String executor) {
        try {
            named(executor);
            if (!OF_DEFAULT.contains(executor)) {
                checked.add(executor);
            }
            return false;
        } catch (NoUniqueBeanDefinitionException e) {
            return true;
        }
    }

    private static LockProblem ambiguous(LockMetadata method, String executor, String written) {
        return new LockProblem(
                has(method, executor, written) + ", which is the qualifier of several beans.",
                "Name the bean of one of them, or give each its own qualifier.");
    }

    private static String has(LockMetadata method, String executor, String written) {
        String resolved = written.equals(executor) ? "" : " (" + MessageText.of(executor) + ")";
        return method.place() + " has executor = \"" + written + "\"" + resolved;
    }

    private LockProblem unknown(LockMetadata method, String executor, String written) {
        return new LockProblem(
                has(method, executor, written) + ", but there is no such executor. There are: " + names() + ".",
                "Correct the name, or declare a LockExecutor or LockTemplate bean with this name, by"
                        + " @Bean(defaultCandidate = false).");
    }

    private LockProblem withoutKind(LockMetadata method, String executor, LockSettings asked) {
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
        return exists(LockTemplate.class, executor) || exists(LockExecutor.class, executor);
    }

    private boolean exists(Class<?> type, String name) {
        return beans(type).keySet().stream()
                .anyMatch(bean -> BeanFactoryAnnotationUtils.isQualifierMatch(name::equals, bean, beanFactory));
    }

    /** The names by which templates can be selected. */
    Set<String> names() {
        Set<String> names = new TreeSet<>();
        beans(LockTemplate.class).forEach((bean, owner) -> names.add(nameOf(bean, owner)));
        beans(LockExecutor.class).forEach((bean, owner) -> names.add(nameOf(bean, owner)));
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

    /** The names of such beans of this context and its parents, each with the factory that has it. */
    private Map<String, ConfigurableListableBeanFactory> beans(Class<?> type) {
        Map<String, ConfigurableListableBeanFactory> owners = new LinkedHashMap<>();
        BeanFactory next = beanFactory;
        while (next instanceof ConfigurableListableBeanFactory owner) {
            for (String bean : owner.getBeanNamesForType(type, true, false)) {
                owners.putIfAbsent(bean, owner);
            }
            next = owner.getParentBeanFactory();
        }
        return owners;
    }
}
