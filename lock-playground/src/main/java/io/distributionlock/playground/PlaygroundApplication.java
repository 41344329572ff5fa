package io.distributionlock.playground;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.boot.context.properties.ConfigurationPropertiesScan;
import org.springframework.boot.webmvc.autoconfigure.error.ErrorMvcAutoConfiguration;
import org.springframework.context.event.EventListener;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.Environment;
import org.springframework.scheduling.annotation.EnableScheduling;

/** Starts the playground. With the profile dev, it brings its own Redis and database. */
@SpringBootApplication(exclude = ErrorMvcAutoConfiguration.class) // What it would answer is no Resp.
@ConfigurationPropertiesScan
@EnableScheduling
public class PlaygroundApplication {

    private static final Logger LOG = LoggerFactory.getLogger(PlaygroundApplication.class);

    /** Runs the application. The arguments are Spring Boot's, for example {@code --server.port=8081}. */
    public static void main(String[] arguments) {
        shareTheDatabaseOnThisMachineOnly();
        SpringApplication.run(PlaygroundApplication.class, arguments);
    }

    /**
     * With AUTO_SERVER, H2 listens for other instances, by default on all network interfaces. H2 reads this property
     * once, when its first class loads.
     */
    private static void shareTheDatabaseOnThisMachineOnly() {
        if (System.getProperty("h2.bindAddress") == null) {
            System.setProperty("h2.bindAddress", "127.0.0.1");
        }
    }

    /** Logs, as the last line of the start, where to look. */
    @EventListener
    @Order(Ordered.LOWEST_PRECEDENCE)
    void ready(ApplicationReadyEvent started) {
        Environment environment = started.getApplicationContext().getEnvironment();
        if (environment.containsProperty("local.server.port")) {
            String page = "http://localhost:${local.server.port}${server.servlet.context-path:}/";
            LOG.info("Ready. Open {}", environment.resolvePlaceholders(page));
        }
    }
}
