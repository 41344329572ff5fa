package io.distributionlock.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributionlock.LockNotAcquiredException;
import io.distributionlock.annotation.DistributionLock;
import io.distributionlock.annotation.DistributionLockParam;
import io.distributionlock.annotation.OnBusy;
import io.distributionlock.redis.RedisLockExecutor;
import java.io.File;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.beans.BeansException;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.annotation.AnnotatedElementUtils;

/** What is optional may really be missing: the application is started with a classpath without it. */
@Tag("boot4")
class OptionalDependenciesTest {

    private static final Pattern OPTIONAL = Pattern.compile(
            ".*[/\\\\](spring-web|spring-tx|spring-jdbc|spring-r2dbc|r2dbc|spring-data|spring-oxm|spring-integration|reactor|reactive-streams|lettuce|jedis|commons-pool2|netty|h2|aspectjweaver|micrometer-core|spring-boot-actuator|spring-boot-health)[-.\\w]*\\.jar");

    private static final Pattern LETTUCE = Pattern.compile(".*[/\\\\]lettuce-core-[-.\\w]*\\.jar");

    @Test
    void theLocalLockWorksWithoutAnythingOptional() throws Exception {
        assertThat(without(OPTIONAL, 5, "run")).isEqualTo("updated A1, later A1, Optional[maybe A1]");
    }

    /** Where Spring Web is missing, the JVM ignores that the exceptions name their HTTP status. */
    @Test
    void withoutSpringWebAnExceptionHasNoStatus() throws Exception {
        assertThat(without(OPTIONAL, 5, "hasStatus")).isEqualTo(false);
    }

    @Test
    void withoutLettuceAnExecutorWithAnAddressOfItsOwnSaysThatItNeedsIt() throws Exception {
        assertThat(without(LETTUCE, 1, "runWithOwnAddress"))
                .isEqualTo(
                        "'uri' of LockExecutors.redis needs Lettuce, which is not on the class path. Add the dependency"
                                + " io.lettuce:lettuce-core. Or pass a StringRedisTemplate of your own.");
    }

    /** What a method of the application returns on a class path without these jars. */
    private static Object without(Pattern jars, int least, String method) throws Exception {
        List<URL> left = new ArrayList<>();
        int removed = 0;
        for (String entry : classPath().split(File.pathSeparator)) {
            if (jars.matcher(entry).matches()) {
                removed++;
            } else {
                left.add(url(entry));
            }
        }
        assertThat(removed).as("optional jars on the classpath of this test").isGreaterThanOrEqualTo(least);
        ClassLoader before = Thread.currentThread().getContextClassLoader();
        try (URLClassLoader bare = new URLClassLoader(left.toArray(URL[]::new), ClassLoader.getPlatformClassLoader())) {
            Thread.currentThread().setContextClassLoader(bare);
            return bare.loadClass(Application.class.getName()).getMethod(method).invoke(null);
        } finally {
            Thread.currentThread().setContextClassLoader(before);
        }
    }

    /** Surefire may hide the true class path behind a jar that names it. */
    private static String classPath() {
        return System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    }

    private static URL url(String entry) throws MalformedURLException {
        return new File(entry).toURI().toURL();
    }

    /** Started inside the bare class loader. */
    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration({AopAutoConfiguration.class, DistributionLockAutoConfiguration.class})
    @Import(Service.class)
    public static class Application {

        public static String run() {
            try (ConfigurableApplicationContext context = new SpringApplicationBuilder(Application.class)
                    .web(WebApplicationType.NONE)
                    .properties("distribution-lock.executor=local", "spring.main.banner-mode=off")
                    .run()) {
                Service service = context.getBean(Service.class);
                return service.update("A1") + ", " + service.later("A1").join() + ", " + service.maybe("A1");
            }
        }

        public static boolean hasStatus() {
            return AnnotatedElementUtils.isAnnotated(
                    LockNotAcquiredException.class, "org.springframework.web.bind.annotation.ResponseStatus");
        }

        /** Returns why it does not start. */
        public static String runWithOwnAddress() {
            try (ConfigurableApplicationContext context = new SpringApplicationBuilder(Application.class)
                    .web(WebApplicationType.NONE)
                    .properties("distribution-lock.executor=local", "spring.main.banner-mode=off")
                    .sources(Second.class)
                    .run()) {
                return "it has started: " + context;
            } catch (BeansException e) {
                return e.getMostSpecificCause().getMessage();
            }
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Second {

        @Bean(defaultCandidate = false)
        RedisLockExecutor second(LockExecutors executors) {
            return executors.redis("redis://127.0.0.1:6379");
        }
    }

    /** Locked in the usual ways. */
    public static class Service {

        @DistributionLock(key = "update")
        public String update(@DistributionLockParam String code) {
            return "updated " + code;
        }

        @DistributionLock(key = "later")
        public CompletableFuture<String> later(@DistributionLockParam String code) {
            return CompletableFuture.supplyAsync(() -> "later " + code);
        }

        @DistributionLock(key = "maybe", onBusy = OnBusy.SKIP)
        public Optional<String> maybe(@DistributionLockParam String code) {
            return Optional.of("maybe " + code);
        }
    }
}
