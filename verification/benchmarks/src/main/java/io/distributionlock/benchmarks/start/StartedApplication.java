package io.distributionlock.benchmarks.start;

import java.lang.management.ManagementFactory;
import org.springframework.boot.Banner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Configuration;

/** The smallest application: starts, prints the nanoseconds that took and the classes loaded until then, and ends. */
final class StartedApplication {

    private StartedApplication() {}

    public static void main(String[] arguments) {
        long before = System.nanoTime();
        SpringApplication application = new SpringApplication(Application.class);
        application.setBannerMode(Banner.Mode.OFF);
        application.setWebApplicationType(WebApplicationType.NONE);
        application.run("--logging.level.root=error");
        long took = System.nanoTime() - before;
        System.out.println(
                took + " " + ManagementFactory.getClassLoadingMXBean().getTotalLoadedClassCount());
        Runtime.getRuntime().halt(0);
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {}
}
