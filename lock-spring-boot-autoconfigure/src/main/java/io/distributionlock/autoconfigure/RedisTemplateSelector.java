package io.distributionlock.autoconfigure;

import io.distributionlock.internal.BackendProblemException;
import io.distributionlock.internal.MessageText;
import io.distributionlock.redis.RedisAddress;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.BeanNotOfRequiredTypeException;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;

/**
 * Selects the {@link StringRedisTemplate} of the application that its locks use. It never guesses which Redis keeps them: processes that
 * selected different servers would not exclude each other. So the connection factory decides, and a template that is added for another
 * server moves no lock.
 */
final class RedisTemplateSelector {

    private static final String TEMPLATE = LockProperties.PREFIX + ".redis.template";
    private static final String CONNECTION_FACTORY = LockProperties.PREFIX + ".redis.connection-factory";

    private final ListableBeanFactory beans;

    RedisTemplateSelector(ListableBeanFactory beans) {
        this.beans = beans;
    }

    /**
     * The template that a property names. Otherwise that of the connection factory that a property names, or of the only or primary one;
     * a new one if the application has none for it. Without such a connection factory, the only or primary template.
     *
     * @throws BackendProblemException if there is no bean of that name, or the choice is ambiguous; lists the candidates
     */
    StringRedisTemplate select(LockProperties.Redis redis) {
        if (redis.template() == null) {
            return redis.connectionFactory() == null
                    ? select()
                    : of(named(
                            CONNECTION_FACTORY, redis.connectionFactory(), RedisConnectionFactory.class, factories()));
        }
        if (redis.connectionFactory() != null) {
            throw new BackendProblemException(
                    TEMPLATE + " is '" + redis.template() + "' and " + CONNECTION_FACTORY + " is '"
                            + redis.connectionFactory() + "', and each says which Redis keeps the locks.",
                    "Remove one of the two properties.",
                    null);
        }
        return named(TEMPLATE, redis.template(), StringRedisTemplate.class, templates());
    }

    private StringRedisTemplate select() {
        RedisConnectionFactory factory =
                beans.getBeanProvider(RedisConnectionFactory.class).getIfUnique();
        if (factory != null) {
            return of(factory);
        }
        StringRedisTemplate template =
                beans.getBeanProvider(StringRedisTemplate.class).getIfUnique();
        if (template != null) {
            return template;
        }
        throw new BackendProblemException(
                "It is ambiguous which Redis keeps the locks. Connection factories of the application: " + factories()
                        + ". Its StringRedisTemplates: " + templates() + ".",
                "Name a connection factory in " + CONNECTION_FACTORY + " or a template in " + TEMPLATE
                        + ", or mark a connection factory as @Primary. All applications that share locks must use the same"
                        + " Redis.",
                null);
    }

    private StringRedisTemplate of(RedisConnectionFactory factory) {
        List<StringRedisTemplate> templates = all(StringRedisTemplate.class).values().stream()
                .filter(template -> template.getConnectionFactory() == factory)
                .toList();
        if (templates.size() == 1) {
            return templates.get(0);
        }
        StringRedisTemplate primary =
                beans.getBeanProvider(StringRedisTemplate.class).getIfUnique();
        return primary != null && templates.contains(primary) ? primary : new StringRedisTemplate(factory);
    }

    private <T> T named(String property, String name, Class<T> type, String candidates) {
        try {
            return beans.getBean(name, type);
        } catch (NoSuchBeanDefinitionException | BeanNotOfRequiredTypeException e) {
            throw new BackendProblemException(
                    property + " is '" + name + "': " + MessageText.sentence(e),
                    "Name a bean of type " + type.getSimpleName() + ": " + candidates + ".",
                    e);
        }
    }

    private String factories() {
        return listed(RedisConnectionFactory.class, factory -> factory);
    }

    private String templates() {
        return listed(StringRedisTemplate.class, StringRedisTemplate::getConnectionFactory);
    }

    private <T> String listed(Class<T> type, Function<T, @Nullable RedisConnectionFactory> factoryOf) {
        String listed = all(type).entrySet().stream()
                .map(bean -> "'" + bean.getKey() + "' (" + address(factoryOf.apply(bean.getValue())) + ")")
                .collect(Collectors.joining(", "));
        return listed.isEmpty() ? "none" : listed;
    }

    private static String address(@Nullable RedisConnectionFactory factory) {
        return factory == null ? "no connection factory" : RedisAddress.of(factory);
    }

    private <T> Map<String, T> all(Class<T> type) {
        return BeanFactoryUtils.beansOfTypeIncludingAncestors(beans, type, false, true);
    }
}
