package io.distributionlock.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.stream.Stream;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.support.AbstractBeanDefinition;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.context.annotation.ImportCandidates;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.core.type.classreading.SimpleMetadataReaderFactory;
import org.springframework.util.ClassUtils;
import org.springframework.util.MultiValueMap;

/** Applications with this library. A test adds the beans and properties that it is about. */
public final class LockContextRunner {

    private LockContextRunner() {}

    /** The auto-configurations of the library, without those whose optional types are missing: Spring Boot loads none of these. */
    public static Class<?>[] autoConfigurations() {
        ClassLoader classes = LockContextRunner.class.getClassLoader();
        return ImportCandidates.load(AutoConfiguration.class, classes).getCandidates().stream()
                .filter(name -> name.startsWith("io.distributionlock."))
                .filter(name -> isUsable(name, classes))
                .map(name -> ClassUtils.resolveClassName(name, classes))
                .toArray(Class<?>[]::new);
    }

    private static boolean isUsable(String configuration, ClassLoader classes) {
        try {
            MultiValueMap<String, Object> conditions = new SimpleMetadataReaderFactory(classes)
                    .getMetadataReader(configuration)
                    .getAnnotationMetadata()
                    .getAllAnnotationAttributes(ConditionalOnClass.class.getName(), true);
            return conditions == null
                    || conditions.get("value").stream()
                            .flatMap(types -> Stream.of((String[]) types))
                            .allMatch(type -> ClassUtils.isPresent(type, classes));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** An application that chooses its executor by its properties. */
    public static ApplicationContextRunner plain() {
        return new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(AopAutoConfiguration.class))
                .withConfiguration(AutoConfigurations.of(autoConfigurations()));
    }

    /** One that waits longer for a lock, and for Redis, than a busy machine is late. */
    private static ApplicationContextRunner patient() {
        return plain().withPropertyValues(
                        "distribution-lock.defaults.try-lock-time=60s", "distribution-lock.redis.command-timeout=60s");
    }

    /** An application whose executor is this one. */
    public static ApplicationContextRunner with(ScriptedLockExecutor executor, Class<?>... configurations) {
        return patient().withBean(ScriptedLockExecutor.class, () -> executor).withUserConfiguration(configurations);
    }

    /** An application with the real engine and locks in memory. */
    public static ApplicationContextRunner local(Class<?>... configurations) {
        return patient().withPropertyValues("distribution-lock.executor=local").withUserConfiguration(configurations);
    }

    /** An application that Spring Boot connects to the Redis on this port of this machine. */
    public static ApplicationContextRunner redis(int port) {
        return patient()
                .withConfiguration(AutoConfigurations.of(MovedClasses.redisAutoConfiguration()))
                .withPropertyValues("spring.data.redis.host=127.0.0.1", "spring.data.redis.port=" + port);
    }

    /** For a bean beside the default one: only who names it gets it. */
    public static void byNameOnly(BeanDefinition definition) {
        ((AbstractBeanDefinition) definition).setDefaultCandidate(false);
    }
}
