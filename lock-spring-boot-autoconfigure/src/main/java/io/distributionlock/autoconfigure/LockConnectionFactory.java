package io.distributionlock.autoconfigure;

import io.distributionlock.internal.BackendProblemException;
import io.distributionlock.redis.RedisAddress;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.BeanNotOfRequiredTypeException;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.data.redis.connection.RedisConnectionFactory;

/**
 * Selects the connection factory for the Redis of the locks. It never guesses: processes that selected different servers would not
 * exclude each other.
 */
final class LockConnectionFactory {

    private static final String PROPERTY = LockProperties.PREFIX + ".redis.connection-factory";

    private LockConnectionFactory() {}

    /**
     * The bean that the property names; without the property, the only factory or the {@code @Primary} one.
     *
     * @throws BackendProblemException if there is no such bean, or the choice is ambiguous; lists the candidates
     */
    static RedisConnectionFactory of(BeanFactory beans, @Nullable String name) {
        if (name != null) {
            return named(beans, name);
        }
        try {
            return beans.getBean(RedisConnectionFactory.class);
        } catch (NoUniqueBeanDefinitionException e) {
            throw new BackendProblemException(
                    "The application has several connection factories, so it is ambiguous which Redis keeps the locks: "
                            + candidates(beans) + ".",
                    "Name one in " + PROPERTY
                            + ", or mark one as @Primary. All applications that share locks must use the"
                            + " same Redis.",
                    e);
        }
    }

    private static RedisConnectionFactory named(BeanFactory beans, String name) {
        try {
            return beans.getBean(name, RedisConnectionFactory.class);
        } catch (NoSuchBeanDefinitionException | BeanNotOfRequiredTypeException e) {
            throw new BackendProblemException(
                    PROPERTY + " is '" + name + "': " + e.getMessage(),
                    "Name one of these connection factories: " + candidates(beans) + ".",
                    e);
        }
    }

    private static String candidates(BeanFactory beans) {
        List<String> names = beans instanceof ListableBeanFactory all
                ? Arrays.asList(all.getBeanNamesForType(RedisConnectionFactory.class))
                : List.of();
        return names.isEmpty()
                ? "there are none"
                : names.stream().map(name -> described(beans, name)).collect(Collectors.joining(", "));
    }

    private static String described(BeanFactory beans, String name) {
        return "'" + name + "' (" + RedisAddress.of(beans.getBean(name, RedisConnectionFactory.class)) + ")";
    }
}
