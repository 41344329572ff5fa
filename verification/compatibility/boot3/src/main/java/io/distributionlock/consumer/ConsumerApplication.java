package io.distributionlock.consumer;

import io.distributionlock.failure.LockFailureMapper;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;

/** Takes some locks, prints what it saw, and ends. */
@SpringBootApplication
public class ConsumerApplication {

    /** A lambda does not know what it answers for: only its declaration does. */
    @Bean
    LockFailureMapper<Answer> lockFailureMapper() {
        return failure -> new Answer("mapped " + failure.reason());
    }

    public static void main(String[] args) {
        SpringApplication.run(ConsumerApplication.class, args).close();
    }
}
