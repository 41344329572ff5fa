package io.distributionlock.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributionlock.LockTemplate;
import io.distributionlock.testing.MovedClasses;
import io.distributionlock.testing.RedisProcess;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/** What the library adds to the start of an application that has not locked anything yet, each in a process of its own. */
@Tag("boot4")
@Timeout(240)
class StartCostTest {

    /** The types of the beans. The properties and the executor would be a hundred more; the engine and Lettuce's connection, far more. */
    private static final int MAX_CLASSES = 250;

    @AutoClose
    private static final RedisProcess redis = RedisProcess.start();

    @Test
    void aStartLoadsFewClasses() throws IOException {
        int without = Integer.parseInt(start("classes").get(0));
        int with = Integer.parseInt(start("classes", DistributionLockAutoConfiguration.class.getName())
                .get(0));
        assertThat(with - without).isPositive().isLessThan(MAX_CLASSES);
    }

    @Test
    void thereIsNoThreadAndNoConnectionBeforeTheFirstLock() throws IOException {
        List<String> printed = start("threads", DistributionLockAutoConfiguration.class.getName());
        assertThat(printed.get(0)).isEqualTo("[]");
        assertThat(printed.get(1)).contains("distribution-lock-engine");
    }

    private static List<String> start(String asked, String... autoConfigurations) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                Application.class.getName(),
                String.valueOf(redis.port()),
                asked));
        command.addAll(List.of(autoConfigurations));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        List<String> lines = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
                .lines()
                .toList();
        assertThat(lines).as("what the application printed").last().isEqualTo("ended");
        return lines;
    }

    /** The smallest application with Spring's AOP and Redis client. */
    static final class Application {

        private Application() {}

        public static void main(String[] arguments) throws Exception {
            List<Class<?>> configurations =
                    new ArrayList<>(List.of(AopAutoConfiguration.class, MovedClasses.redisAutoConfiguration()));
            for (int i = 2; i < arguments.length; i++) {
                configurations.add(Class.forName(arguments[i]));
            }
            ConfigurableApplicationContext context = new SpringApplicationBuilder(
                            configurations.toArray(Class<?>[]::new))
                    .web(WebApplicationType.NONE)
                    .run(
                            "--logging.level.root=error",
                            "--spring.main.banner-mode=off",
                            "--distribution-lock.redis.command-timeout=20s",
                            "--distribution-lock.defaults.try-lock-time=60s",
                            "--spring.data.redis.host=127.0.0.1",
                            "--spring.data.redis.port=" + arguments[0]);
            if (arguments[1].equals("classes")) {
                System.out.println(ManagementFactory.getClassLoadingMXBean().getTotalLoadedClassCount());
            } else {
                System.out.println(threads());
                System.out.println(context.getBean(LockTemplate.class).execute("first", () -> threads()));
            }
            System.out.println("ended");
            Runtime.getRuntime().halt(0);
        }

        private static String threads() {
            return Thread.getAllStackTraces().keySet().stream()
                    .map(Thread::getName)
                    .filter(name -> name.startsWith("distribution-lock") || name.contains("EventLoop"))
                    .collect(Collectors.toSet())
                    .toString();
        }
    }
}
