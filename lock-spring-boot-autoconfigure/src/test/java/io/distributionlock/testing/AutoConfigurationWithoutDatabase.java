package io.distributionlock.testing;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;

/** What Spring Boot configures by itself, apart from a data source: tests have JDBC on their class path, and most have no database. */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Documented
@EnableAutoConfiguration(
        excludeName = {
            "org.springframework.boot.autoconfigure.jdbc.DataSourceAutoConfiguration",
            // Since Spring Boot 4.
            "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration"
        })
public @interface AutoConfigurationWithoutDatabase {}
