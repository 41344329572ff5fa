package io.distributionlock.interceptor;

import io.distributionlock.annotation.DistributionLock;
import io.distributionlock.annotation.DistributionLockParam;
import io.distributionlock.annotation.FencingToken;
import io.distributionlock.annotation.LockProblem;
import io.distributionlock.internal.Internal;
import io.distributionlock.internal.KotlinMethods;
import io.distributionlock.internal.Placeholders;
import io.distributionlock.internal.TypeHierarchy;
import io.distributionlock.key.AttributeNames;
import io.distributionlock.key.LockCondition;
import io.distributionlock.key.LockDeclaration;
import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.AopInfrastructureBean;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.MethodClassKey;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.MethodIntrospector.MetadataLookup;
import org.springframework.core.ResolvableType;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.AsyncAnnotationBeanPostProcessor;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/**
 * Finds the locks of methods, and caches them. An annotation counts on the method, on a method that it overrides or implements,
 * on the class or interface, and as a meta-annotation of any of these. The nearest one wins, and a method wins over a class.
 *
 * @hidden
 */
@Internal
public final class LockMetadataSource implements AopInfrastructureBean {

    /** The annotations of parameters that mean something only in a locked method. */
    static final List<Class<? extends Annotation>> MARKS = List.of(DistributionLockParam.class, FencingToken.class);

    private final ConfigurableListableBeanFactory beanFactory;
    private final Map<MethodClassKey, Optional<LockMetadata>> methods = new ConcurrentHashMap<>();
    private final Predicate<Class<?>> declared = TypeHierarchy.search(LockMetadataSource::concernsLocks);

    public LockMetadataSource(ConfigurableListableBeanFactory beanFactory) {
        this.beanFactory = beanFactory;
    }

    /** The lock of a method when called on an object of the target class, or {@code null} if it has none. */
    @Nullable
    LockMetadata find(Method method, Class<?> targetClass) {
        Class<?> userClass = ClassUtils.getUserClass(targetClass);
        MethodClassKey key = new MethodClassKey(method, userClass);
        Optional<LockMetadata> known = methods.get(key);
        if (known == null) {
            // Not computeIfAbsent: reading an overridden method looks up the overriding one in the same map.
            Optional<LockMetadata> read = read(method, userClass);
            known = Optional.ofNullable(methods.putIfAbsent(key, read)).orElse(read);
        }
        return known.orElse(null);
    }

    /** Whether any method of the class has a lock, or a parameter that is a part of one. */
    public boolean anyIn(Class<?> targetClass) {
        return declared.test(ClassUtils.getUserClass(targetClass));
    }

    /** Every locked method of a class, including those that a proxy cannot reach. */
    Collection<LockMetadata> allIn(Class<?> targetClass) {
        MetadataLookup<LockMetadata> locks = method -> find(method, targetClass);
        return MethodIntrospector.selectMethods(targetClass, locks).values();
    }

    private static boolean concernsLocks(AnnotatedElement element) {
        return isLocked(element)
                || element instanceof Method method && MARKS.stream().anyMatch(mark -> hasMarked(method, mark));
    }

    private static boolean isLocked(AnnotatedElement element) {
        // Asked first, because Spring would remember the many methods without any.
        return element.getDeclaredAnnotations().length > 0
                && MergedAnnotations.from(element).isPresent(DistributionLock.class);
    }

    private Optional<LockMetadata> read(Method method, Class<?> userClass) {
        Method specific = AopUtils.getMostSpecificMethod(method, userClass);
        if (!specific.equals(method)) {
            return Optional.ofNullable(find(specific, userClass));
        }
        List<Method> hierarchy = TypeHierarchy.declarationsOf(specific, userClass);
        List<MergedAnnotation<DistributionLock>> annotations = annotationsOf(hierarchy, userClass);
        return annotations.isEmpty()
                ? Optional.empty()
                : Optional.of(locked(specific, userClass, hierarchy, annotations));
    }

    private static List<MergedAnnotation<DistributionLock>> annotationsOf(List<Method> hierarchy, Class<?> userClass) {
        List<MergedAnnotation<DistributionLock>> ofMethod = nearest(hierarchy.stream());
        Method method = hierarchy.get(0);
        boolean isLockable = Modifier.isPublic(method.getModifiers())
                && !Modifier.isStatic(method.getModifiers())
                && !method.isSynthetic()
                && !ReflectionUtils.isObjectMethod(method);
        if (!ofMethod.isEmpty() || !isLockable) {
            return ofMethod;
        }
        // On a class it locks all public methods of the bean, on an interface only the interface's own.
        return nearest(TypeHierarchy.of(userClass).stream()
                .filter(type -> !type.isInterface()
                        || hierarchy.stream()
                                .anyMatch(
                                        declared -> declared.getDeclaringClass().isAssignableFrom(type))));
    }

    private static List<MergedAnnotation<DistributionLock>> nearest(Stream<? extends AnnotatedElement> elements) {
        return elements.map(element -> MergedAnnotations.from(element).stream(DistributionLock.class)
                        .toList())
                .filter(annotations -> !annotations.isEmpty())
                .findFirst()
                .orElse(List.of());
    }

    private LockMetadata locked(
            Method method,
            Class<?> userClass,
            List<Method> hierarchy,
            List<MergedAnnotation<DistributionLock>> annotations) {
        ResolvableType returnType = KotlinMethods.returnTypeOf(method, userClass);
        boolean async = (AnnotatedElementUtils.hasAnnotation(method, Async.class)
                        || AnnotatedElementUtils.hasAnnotation(userClass, Async.class))
                && (isAsyncEnabled() || ReturnShape.of(returnType) == ReturnShape.UNKNOWN_LATER);
        List<LockProblem> problems = new ArrayList<>();
        AttributeNames first = AttributeNames.of(annotations.get(0));
        LockRules rules = new LockRules(method, returnType, problems);
        rules.checkMethod(async, first.place(method));
        List<LockOperation> locks = new ArrayList<>();
        for (MergedAnnotation<DistributionLock> merged : annotations) {
            DistributionLock annotation = merged.synthesize();
            AttributeNames names = AttributeNames.of(merged);
            String place = names.place(method);
            rules.checkAnnotation(annotation, names);
            LockSettings asked = LockSettings.of(annotation, new Placeholders(beanFactory), place, names, problems);
            LockSettings settings =
                    CommitGuardChecks.applicable(asked, method, returnType, async, annotation, place, problems);
            FallbackMethods fallbacks =
                    FallbackMethods.of(annotation.fallbackMethod(), method, userClass, place, problems);
            LockDeclaration declaration = names.declare(method, userClass, hierarchy, annotation);
            LockCondition condition = LockCondition.of(declaration, beanFactory, problems);
            locks.add(new LockOperation(declaration, place, settings, fallbacks, condition));
        }
        rules.checkTogether(locks);
        List<LeaseParameter> injections = LeaseParameter.of(hierarchy, first.place(method), problems);
        return new LockMetadata(method, userClass, locks, returnType, async, injections, problems);
    }

    /**
     * Otherwise {@code @Async} has no effect here, and the caller's thread must not wait. A result that only a thread of its own can wait
     * for would be refused; that is not worth it, since tests leave {@code @EnableAsync} out. By type, because Spring 7 has renamed the
     * bean.
     */
    private boolean isAsyncEnabled() {
        return beanFactory.getBeanNamesForType(AsyncAnnotationBeanPostProcessor.class, true, false).length > 0;
    }

    /** The methods of a class that have a parameter with this annotation, but no lock. */
    List<Method> withoutLockBut(Class<? extends Annotation> mark, Class<?> targetClass) {
        List<Method> found = new ArrayList<>();
        Class<?> userClass = ClassUtils.getUserClass(targetClass);
        for (Class<?> type : TypeHierarchy.of(userClass)) {
            for (Method method : type.getDeclaredMethods()) {
                if (hasMarked(method, mark) && find(method, userClass) == null) {
                    found.add(method);
                }
            }
        }
        return found;
    }

    /** Whether a method that the application wrote has a parameter with this annotation. */
    private static boolean hasMarked(Method method, Class<? extends Annotation> mark) {
        return !method.isSynthetic()
                && Stream.of(method.getParameterAnnotations())
                        .anyMatch(annotations -> annotations.length > 0
                                && MergedAnnotations.from(annotations).isPresent(mark))
                && !KotlinMethods.isCopy(method);
    }
}
