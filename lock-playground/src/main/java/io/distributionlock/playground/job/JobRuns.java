package io.distributionlock.playground.job;

import java.util.List;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** The latest thousand runs, in the database. */
@Repository
class JobRuns {

    private static final int KEPT = 1000;
    private static final int LISTED = 50;

    private final JdbcClient database;

    JobRuns(JdbcClient database) {
        this.database = database;
    }

    void add(JobRun run) {
        database.sql("INSERT INTO job_runs (turn, instance) VALUES (?, ?)")
                .params(run.turn(), run.instance())
                .update();
        database.sql("DELETE FROM job_runs WHERE seq <= (SELECT MAX(seq) FROM job_runs) - ?")
                .param(KEPT)
                .update();
    }

    List<JobRun> latest() {
        return database.sql("SELECT turn, instance FROM job_runs ORDER BY seq DESC FETCH FIRST ? ROWS ONLY")
                .param(LISTED)
                .query(JobRun.class)
                .list();
    }

    int count(String turn) {
        return database.sql("SELECT COUNT(*) FROM job_runs WHERE turn = ?")
                .param(turn)
                .query(Integer.class)
                .single();
    }
}
