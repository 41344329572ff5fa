package io.distributionlock.failure;

import io.distributionlock.LockNotAcquiredException;
import io.distributionlock.annotation.LockProblem;
import io.distributionlock.internal.Internal;
import io.distributionlock.reflect.MethodText;
import io.distributionlock.reflect.ReturnShape;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.ResolvableType;
import org.springframework.util.ClassUtils;
import org.springframework.util.function.SingletonSupplier;

/**
 * Chooses the {@link LockFailureMapper} with the most specific type for a method, and lets it answer. Among equals a
 * {@code @Primary} one wins, then the one with the smallest {@code @Order}.
 *
 * @hidden
 */
@Internal
public final class FailureMappers {

    private final ConfigurableListableBeanFactory beanFactory;
    private final SingletonSupplier<FailureMapperBeans> mappers;
    private final Map<ResolvableType, Optional<FailureMapperBean>> chosen = new ConcurrentHashMap<>();

    public FailureMappers(ConfigurableListableBeanFactory beanFactory) {
        this.beanFactory = beanFactory;
        this.mappers = SingletonSupplier.of(() -> new FailureMapperBeans(beanFactory));
    }

    /**
     * Maps a failure to the return type. A wrapper without a mapper of its own wraps the answer for the type inside it.
     *
     * @throws LockNotAcquiredException the exception of the failure, if there is no mapper
     * @throws IllegalStateException if the value does not fit the return type
     */
    @Nullable
    Object answer(ResolvableType returnType, LockFailure failure) {
        FailureMapperBean mapper = mapperFor(returnType);
        if (mapper != null) {
            LockFailureMapper<?> bean = beanFactory.getBean(mapper.name(), LockFailureMapper.class);
            Object value = bean.map(failure);
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
            @Nullable Object value, Class<?> returnType, FailureMapperBean mapper, Method method) {
        if (!ClassUtils.isAssignableValue(returnType, value)) {
            String found = value == null ? "null" : "a " + value.getClass().getName();
            throw new IllegalStateException(
                    "The LockFailureMapper " + mapper.describe() + " returned " + found + " for "
                            + MethodText.of(method) + ", which returns " + returnType.getName()
                            + ". Return a value of that type, or declare a LockFailureMapper for it.");
        }
    }

    private @Nullable FailureMapperBean mapperFor(ResolvableType returnType) {
        return chosen.computeIfAbsent(returnType, type -> {
                    List<FailureMapperBean> best = mostSpecific(type);
                    return best.isEmpty() ? Optional.empty() : Optional.of(best.get(0));
                })
                .orElse(null);
    }

    /** The mapper to use for a type comes first; more than one means that they are equal in every respect. */
    private List<FailureMapperBean> mostSpecific(ResolvableType returnType) {
        List<FailureMapperBean> candidates = mappers.obtain().beans().stream()
                .filter(mapper -> mapper.serves(returnType))
                .toList();
        List<FailureMapperBean> best = candidates.stream()
                .filter(mapper -> candidates.stream().noneMatch(other -> other.isMoreSpecificThan(mapper)))
                .toList();
        return preferred(best);
    }

    private static List<FailureMapperBean> preferred(List<FailureMapperBean> equals) {
        List<FailureMapperBean> primaries =
                equals.stream().filter(FailureMapperBean::primary).toList();
        List<FailureMapperBean> left = primaries.isEmpty() ? equals : primaries;
        int first = left.stream().mapToInt(FailureMapperBean::order).min().orElse(Integer.MAX_VALUE);
        return left.stream().filter(mapper -> mapper.order() == first).toList();
    }

    /** Reports mappers without a usable type, and mappers that are equal in every respect. */
    public List<LockProblem> check() {
        List<LockProblem> problems = new ArrayList<>(mappers.obtain().problems());
        List<FailureMapperBean> beans = mappers.obtain().beans();
        List<FailureMapperBean> reported = new ArrayList<>();
        for (FailureMapperBean mapper : beans) {
            List<FailureMapperBean> equals = preferred(
                    beans.stream().filter(other -> other.isAsSpecificAs(mapper)).toList());
            if (equals.size() > 1 && !reported.contains(mapper)) {
                reported.addAll(equals);
                problems.add(ambiguous(equals, "the same type"));
            }
        }
        return problems;
    }

    /** Reports mappers that answer equally well for a method of this return type. */
    public List<LockProblem> check(Method method, ResolvableType returnType) {
        ResolvableType type = returnType;
        List<FailureMapperBean> best = mostSpecific(type);
        while (best.isEmpty() && ReturnShape.of(type).isWrapper()) {
            type = type.getGeneric(0);
            best = mostSpecific(type);
        }
        boolean reportedAlready = best.size() > 1 && best.get(0).isAsSpecificAs(best.get(1));
        return best.size() > 1 && !reportedAlready ? List.of(ambiguous(best, MethodText.of(method))) : List.of();
    }

    private static LockProblem ambiguous(List<FailureMapperBean> equals, String what) {
        String names = equals.stream().map(FailureMapperBean::describe).collect(Collectors.joining(" and "));
        return new LockProblem(
                "The LockFailureMapper beans " + names + " answer equally well for " + what + ".",
                "Remove all but one, or mark the one to use with @Primary or the smallest @Order.");
    }
}
