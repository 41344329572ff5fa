package io.distributionlock.playground.setup;

import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.jdbc.autoconfigure.ApplicationDataSourceScriptDatabaseInitializer;
import org.springframework.boot.sql.autoconfigure.init.SqlInitializationProperties;
import org.springframework.jdbc.datasource.init.ScriptException;
import org.springframework.stereotype.Component;

/**
 * Creates the tables as Spring Boot does, and retries once: if two instances start at the same time, both may find a
 * table missing, and the database lets only one of them create it. The script's statements do not change existing
 * tables. (This does not use the lock, because the application must start while Redis is down.)
 */
@Component
@EnableConfigurationProperties(SqlInitializationProperties.class) // Spring Boot does so only for its own initializer.
class SharedSchemaInitializer extends ApplicationDataSourceScriptDatabaseInitializer {

    private static final Logger LOG = LoggerFactory.getLogger(SharedSchemaInitializer.class);
    private static final int MAX_ATTEMPTS = 20;

    SharedSchemaInitializer(DataSource dataSource, SqlInitializationProperties properties) {
        super(dataSource, properties);
    }

    @Override
    public boolean initializeDatabase() {
        for (int attempt = 1; ; attempt++) {
            try {
                return super.initializeDatabase();
            } catch (ScriptException failed) {
                if (attempt == MAX_ATTEMPTS) {
                    throw failed;
                }
                LOG.debug("Another instance may have been creating the same tables; trying once more", failed);
            }
        }
    }
}
