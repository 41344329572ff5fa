package io.distributionlock.sample;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.autoconfigure.web.servlet.error.ErrorMvcAutoConfiguration;
import org.springframework.boot.context.properties.ConfigurationPropertiesScan;

/** Starts the sample, which brings its own Redis and database; see {@code application.yml}. */
@SpringBootApplication(exclude = ErrorMvcAutoConfiguration.class) // What it would answer is no Resp.
@ConfigurationPropertiesScan
public class SampleApplication {

    /** Runs the application. The arguments are Spring Boot's, for example {@code --server.port=8081}. */
    public static void main(String[] arguments) {
        shareTheDatabaseOnThisMachineOnly();
        SpringApplication.run(SampleApplication.class, arguments);
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
}
