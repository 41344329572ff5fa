package io.distributionlock.fenced;

import jakarta.persistence.EntityManagerFactory;
import java.util.List;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Primary;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.orm.jpa.JpaTransactionManager;
import org.springframework.orm.jpa.SharedEntityManagerCreator;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;

/** What a worker is: an application with the starter and a database, as any other; with JPA unless that is excluded. */
@SpringBootApplication(proxyBeanMethods = false)
class WorkerApplication {

    static final String UNGUARDED = "unguarded";

    @Bean
    @Primary
    AbstractPlatformTransactionManager transactionManager(
            DataSource dataSource, ObjectProvider<EntityManagerFactory> entities) {
        return manager(dataSource, entities.getIfAvailable());
    }

    @Bean(UNGUARDED)
    AbstractPlatformTransactionManager unguarded(DataSource dataSource, ObjectProvider<EntityManagerFactory> entities) {
        return manager(dataSource, entities.getIfAvailable());
    }

    private static AbstractPlatformTransactionManager manager(
            DataSource dataSource, @Nullable EntityManagerFactory entities) {
        return entities == null ? new DataSourceTransactionManager(dataSource) : new JpaTransactionManager(entities);
    }

    @Bean
    Section section(JdbcTemplate jdbc, ObjectProvider<EntityManagerFactory> entities) {
        EntityManagerFactory factory = entities.getIfAvailable();
        Counters counters = factory == null
                ? new Counters.Jdbc(jdbc)
                : new Counters.Jpa(SharedEntityManagerCreator.createSharedEntityManager(factory));
        return new Section(counters, jdbc);
    }

    @Bean
    AnnotatedSections annotatedSections(Section section) {
        return new AnnotatedSections(section);
    }

    /** When the library has added its own: to the one manager after it, to the other instead of it. */
    @Bean
    SmartInitializingSingleton listeners(
            Section section,
            AbstractPlatformTransactionManager transactionManager,
            @Qualifier(UNGUARDED) AbstractPlatformTransactionManager unguarded) {
        return () -> {
            transactionManager.addListener(section);
            unguarded.setTransactionExecutionListeners(List.of(section));
        };
    }
}
