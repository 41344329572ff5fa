package io.distributionlock.failure;

import io.distributionlock.LockNotAcquiredException;
import io.distributionlock.annotation.LockProblem;
import io.distributionlock.internal.Internal;
import io.distributionlock.reflect.MethodText;
import io.distributionlock.reflect.ReturnShape;
import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.WildcardType;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.ResolvableType;
import org.springframework.util.ClassUtils;

/**
 * Lets the first {@link LockFailureMapper} bean in {@code @Order} that serves a method's return type answer.
 *
 * @hidden
 */
@Internal
public final class FailureMappers {

    private final ConfigurableListableBeanFactory beanFactory;
    private final Map<ResolvableType, Optional<LockFailureMapper<?>>> found = new ConcurrentHashMap<>();

    public FailureMappers(ConfigurableListableBeanFactory beanFactory) {
        this.beanFactory = beanFactory;
    }

    /**
     * Maps a failure to the return type. A wrapper without a mapper of its own wraps the answer for the type inside it.
     *
     * @throws LockNotAcquiredException the exception of the failure, if there is no mapper
     * @throws IllegalStateException if the value does not fit the return type
     */
    @Nullable
    Object answer(ResolvableType returnType, LockFailure failure) {
        LockFailureMapper<?> mapper = mapperFor(returnType);
        if (mapper != null) {
            Object value = mapper.map(failure);
            requireFit(value, returnType.resolve(Object.class), mapper, failure.method());
            return value;
        }
        ReturnShape shape = ReturnShape.of(returnType);
        if (!shape.isWrapper()) {
            throw failure.exception();
        }
        return shape.wrap(answer(returnType.getGeneric(0), failure), returnType);
    }

    private static void requireFit(
            @Nullable Object value, Class<?> returnType, LockFailureMapper<?> mapper, Method method) {
        if (!ClassUtils.isAssignableValue(returnType, value)) {
            String given = value == null ? "null" : "a " + value.getClass().getName();
            throw new IllegalStateException(
                    "The LockFailureMapper " + mapper.getClass().getName() + " returned " + given
                            + " for " + MethodText.of(method) + ", which returns " + returnType.getName()
                            + ". Return a value of that type, or declare a LockFailureMapper for it with a smaller @Order.");
        }
    }

    private @Nullable LockFailureMapper<?> mapperFor(ResolvableType returnType) {
        // Not computeIfAbsent: a mapper may be created here.
        Optional<LockFailureMapper<?>> known = found.get(returnType);
        if (known == null) {
            ObjectProvider<LockFailureMapper<?>> serving = beanFactory.getBeanProvider(serving(returnType));
            known = serving.orderedStream().findFirst();
            found.put(returnType, known);
        }
        return known.orElse(null);
    }

    /** {@code LockFailureMapper<? super R>}: what an injection point would say to get the mappers that serve {@code R}. */
    private static ResolvableType serving(ResolvableType returnType) {
        Type type = returnType.getType() instanceof ParameterizedType generic ? generic : returnType.toClass();
        return ResolvableType.forClassWithGenerics(
                LockFailureMapper.class, ResolvableType.forType(new SupertypesOf(type)));
    }

    private record SupertypesOf(Type type) implements WildcardType {

        @Override
        public Type[] getUpperBounds() {
            return new Type[] {Object.class};
        }

        @Override
        public Type[] getLowerBounds() {
            return new Type[] {type};
        }
    }

    /** Reports mappers that do not say which return type they answer for. */
    public List<LockProblem> check() {
        return Stream.of(beanFactory.getBeanNamesForType(LockFailureMapper.class, true, false))
                .filter(name -> servedBy(name) == Object.class)
                .map(name -> new LockProblem(
                        "The LockFailureMapper bean '" + name + "' does not say which return type it answers for.",
                        "Declare the type where the bean is defined, as in '@Bean LockFailureMapper<Resp<?>> " + name
                                + "()', or make it a class that implements LockFailureMapper<Resp<?>>."))
                .toList();
    }

    private Class<?> servedBy(String name) {
        ResolvableType bean = beanFactory.containsBeanDefinition(name)
                ? beanFactory.getMergedBeanDefinition(name).getResolvableType()
                : ResolvableType.forClass(beanFactory.getType(name));
        return bean.as(LockFailureMapper.class).getGeneric().toClass();
    }
}
