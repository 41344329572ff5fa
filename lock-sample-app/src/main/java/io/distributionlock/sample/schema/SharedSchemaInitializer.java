package io.distributionlock.sample.schema;

import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.autoconfigure.sql.init.SqlDataSourceScriptDatabaseInitializer;
import org.springframework.boot.autoconfigure.sql.init.SqlInitializationProperties;
import org.springframework.jdbc.datasource.init.ScriptException;
import org.springframework.stereotype.Component;

/**
 * Creates the tables as Spring Boot does, and once more if that fails: of two instances that start at the same moment, both may
 * find a table missing, and the database lets only one of them create it. Each statement of the script does nothing to what is
 * there already. (The lock is not used, because the application is to start while Redis is away.)
 */
@Component
class SharedSchemaInitializer extends SqlDataSourceScriptDatabaseInitializer {

    private static final Logger LOG = LoggerFactory.getLogger(SharedSchemaInitializer.class);
    private static final int MOST_ATTEMPTS = 20;

    SharedSchemaInitializer(DataSource dataSource, SqlInitializationProperties properties) {
        super(dataSource, properties);
    }

    @Override
    public boolean initializeDatabase() {
        for (int attempt = 1; ; attempt++) {
            try {
                return super.initializeDatabase();
            } catch (ScriptException failed) {
                if (attempt == MOST_ATTEMPTS) {
                    throw failed;
                }
                LOG.debug("Another instance may have been creating the same, so once more", failed);
            }
        }
    }
}
