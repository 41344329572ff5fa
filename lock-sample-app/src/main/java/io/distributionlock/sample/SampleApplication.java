package io.distributionlock.sample;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** Orders, whose status changes once at a time per order, however many instances run. */
@SpringBootApplication
public class SampleApplication {

    public static void main(String[] arguments) {
        SpringApplication application = new SpringApplication(SampleApplication.class);
        // It does not start without them (see MissingSettings): instances that each use a Redis and a database of their own
        // would not exclude each other.
        application.addInitializers(context ->
                context.getEnvironment().setRequiredProperties("spring.data.redis.host", "spring.datasource.url"));
        application.run(arguments);
    }
}
