package io.distributionlock.playground.catalogue;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** The prices in the database. Net and gross are read and written separately, as if stored in two places. */
@Repository
class Prices {

    private final JdbcClient database;

    Prices(JdbcClient database) {
        this.database = database;
    }

    boolean has(String item) {
        return database.sql("SELECT COUNT(*) FROM catalogue WHERE item = ?")
                        .param(item)
                        .query(Integer.class)
                        .single()
                > 0;
    }

    long net(String item) {
        return number("SELECT net FROM catalogue WHERE item = ?", item);
    }

    long gross(String item) {
        return number("SELECT gross FROM catalogue WHERE item = ?", item);
    }

    void setNet(String item, long net) {
        database.sql("UPDATE catalogue SET net = ? WHERE item = ?")
                .params(net, item)
                .update();
    }

    void setGross(String item, long gross) {
        database.sql("UPDATE catalogue SET gross = ? WHERE item = ?")
                .params(gross, item)
                .update();
    }

    void countTornRead(String item) {
        database.sql("UPDATE catalogue SET torn_reads = torn_reads + 1 WHERE item = ?")
                .param(item)
                .update();
    }

    private long number(String query, String item) {
        return database.sql(query).param(item).query(Long.class).single();
    }
}
