package io.distributionlock.autoconfigure.jdbc;

import io.distributionlock.autoconfigure.LockProperties.SchemaInitialization;
import io.distributionlock.internal.MessageText;
import java.sql.SQLException;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.springframework.boot.jdbc.init.DataSourceScriptDatabaseInitializer;
import org.springframework.boot.jdbc.init.PlatformPlaceholderDatabaseDriverResolver;
import org.springframework.boot.sql.init.DatabaseInitializationMode;
import org.springframework.boot.sql.init.DatabaseInitializationSettings;

/**
 * Creates the table of fencing tokens with Spring Boot's initializer, as Spring Session and Spring Batch do theirs, but only in a database
 * that a lock needs it in. One that exists stays.
 */
final class FenceSchema implements Consumer<DataSource> {

    private static final String SCRIPT = "classpath:io/distributionlock/jdbc/schema-@@platform@@.sql";

    private final SchemaInitialization mode;

    FenceSchema(SchemaInitialization mode) {
        this.mode = mode;
    }

    @Override
    public void accept(DataSource dataSource) {
        if (mode == SchemaInitialization.NEVER) {
            return;
        }
        requireReachable(dataSource);
        DatabaseInitializationSettings settings = new DatabaseInitializationSettings();
        settings.setSchemaLocations(new PlatformPlaceholderDatabaseDriverResolver().resolveAll(dataSource, SCRIPT));
        settings.setMode(
                mode == SchemaInitialization.ALWAYS
                        ? DatabaseInitializationMode.ALWAYS
                        : DatabaseInitializationMode.EMBEDDED);
        settings.setContinueOnError(true);
        new DataSourceScriptDatabaseInitializer(dataSource, settings).initializeDatabase();
    }

    /** Otherwise Spring Boot's message would not tell why it could not determine the driver. */
    private static void requireReachable(DataSource dataSource) {
        try {
            dataSource.getConnection().close();
        } catch (SQLException e) {
            throw new IllegalStateException(
                    "The database cannot be reached (" + MessageText.of(String.valueOf(e.getMessage())) + "). With"
                            + " distribution-lock.jdbc.initialize-schema = never, the application starts without it.",
                    e);
        }
    }
}
