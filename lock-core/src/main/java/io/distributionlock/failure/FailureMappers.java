package io.distributionlock.failure;

import io.distributionlock.LockNotAcquiredException;
import io.distributionlock.annotation.LockProblem;
import io.distributionlock.internal.Internal;
import io.distributionlock.reflect.MethodText;
import java.lang.reflect.Method;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.AopInfrastructureBean;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.ResolvableType;
import org.springframework.util.ClassUtils;

/**
 * Lets the first {@link LockFailureMapper} bean in {@code @Order} that serves a method's return type answer.
 *
 * @hidden
 */
@Internal
public final class FailureMappers implements AopInfrastructureBean {

    private final MapperBeans beans;
    private final Map<ResolvableType, Optional<Answer>> found = new ConcurrentHashMap<>();

    public FailureMappers(ConfigurableListableBeanFactory beanFactory) {
        this.beans = new MapperBeans(beanFactory);
    }

    /**
     * Maps a failure to the return type. A wrapper without a mapper of its own wraps the answer for the type inside it.
     *
     * @throws LockNotAcquiredException the exception of the failure, if there is no mapper
     * @throws IllegalStateException if the value does not fit the return type
     */
    @Nullable
    Object answer(ResolvableType returnType, LockFailure failure) {
        Answer answer = answerFor(returnType);
        if (answer == null) {
            throw failure.exception();
        }
        LockFailureMapper<?> mapper = answer.mapper().get();
        Object value = mapper.map(failure);
        requireFit(value, answer.served().part().toClass(), mapper, failure.method());
        return answer.served().wrap(value);
    }

    private static void requireFit(
            @Nullable Object value, Class<?> returnType, LockFailureMapper<?> mapper, Method method) {
        if (returnType != void.class && !ClassUtils.isAssignableValue(returnType, value)) {
            String given = value == null ? "null" : "a " + value.getClass().getName();
            throw new IllegalStateException(
                    "The LockFailureMapper " + mapper.getClass().getName() + " returned " + given
                            + " for " + MethodText.of(method) + ", which returns " + returnType.getName()
                            + ". Return a value of that type, or declare a LockFailureMapper for it with a smaller @Order.");
        }
    }

    private @Nullable Answer answerFor(ResolvableType returnType) {
        // Not computeIfAbsent: a mapper may be created here.
        Optional<Answer> known = found.get(returnType);
        if (known == null) {
            known = ServedPart.of(returnType, beans.servedTypes(true))
                    .map(served -> new Answer(supplierOf(beans.first(served.mappers())), served));
            found.put(returnType, known);
        }
        return known.orElse(null);
    }

    private record Answer(Supplier<LockFailureMapper<?>> mapper, ServedPart served) {}

    /** A singleton is kept: while the context closes, looking it up could create it again. */
    private Supplier<LockFailureMapper<?>> supplierOf(String name) {
        if (!beans.isSingleton(name)) {
            return () -> beans.get(name);
        }
        LockFailureMapper<?> mapper = beans.get(name);
        return () -> mapper;
    }

    /** Reports mappers that do not say which return type they answer for; of one that is made later, the object may say it. */
    public List<LockProblem> check() {
        return beans.servedTypes(false).entrySet().stream()
                .filter(mapper -> !MapperTypes.says(mapper.getValue()) && beans.exists(mapper.getKey()))
                .map(mapper -> new LockProblem(
                        "The LockFailureMapper bean '" + mapper.getKey()
                                + "' does not say which return type it answers for.",
                        "Declare the type where the bean is defined, as in '@Bean LockFailureMapper<Resp<?>> "
                                + mapper.getKey()
                                + "()', or make it a class that implements LockFailureMapper<Resp<?>>."))
                .toList();
    }

    /** What mappers and methods miss of each other: no mistake, but perhaps not what was meant. */
    public List<String> missed(Collection<RefusableMethod> methods) {
        return new MissedAnswers(beans, methods).found();
    }
}
