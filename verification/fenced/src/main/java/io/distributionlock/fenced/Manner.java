package io.distributionlock.fenced;

import java.util.List;
import java.util.Locale;

/** How a worker uses its database: one for each. */
enum Manner {
    READ_COMMITTED("TRANSACTION_READ_COMMITTED", false),
    REPEATABLE_READ("TRANSACTION_REPEATABLE_READ", false),
    SERIALIZABLE("TRANSACTION_SERIALIZABLE", false),
    /** Hibernate, with READ COMMITTED. */
    JPA("TRANSACTION_READ_COMMITTED", true);

    private static final String HIBERNATE =
            "org.springframework.boot.autoconfigure.orm.jpa.HibernateJpaAutoConfiguration";

    private final String isolation;
    private final boolean entities;

    Manner(String isolation, boolean entities) {
        this.isolation = isolation;
        this.entities = entities;
    }

    static Manner of(int worker) {
        return values()[worker];
    }

    /** The isolation is that of each connection, so that also the guard's own statements outside of the transaction have it. */
    List<String> properties() {
        String level = "--spring.datasource.hikari.transaction-isolation=" + isolation;
        return entities ? List.of(level) : List.of(level, "--spring.autoconfigure.exclude=" + HIBERNATE);
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
}
