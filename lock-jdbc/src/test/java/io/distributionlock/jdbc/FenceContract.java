package io.distributionlock.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import io.distributionlock.transaction.CommitFence;
import java.sql.Connection;
import java.sql.Timestamp;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.dao.ConcurrencyFailureException;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.TransientDataAccessException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

/** What each database must do for {@link CommitFence}. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class FenceContract {

    private static final Duration LONG = Duration.ofSeconds(60);

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final List<AutoCloseable> opened = new ArrayList<>();
    private TestDatabase database;
    private HikariDataSource pool;
    private CommitFence fence;

    abstract TestDatabase start();

    @BeforeAll
    void startDatabase() {
        database = start();
    }

    @AfterAll
    void stopDatabase() {
        threads.shutdownNow();
        if (database != null) {
            database.close();
        }
    }

    @BeforeEach
    void open() {
        pool = opened(database.pool(8));
        fence = fenceOn(pool, Duration.ofSeconds(30));
        new JdbcTemplate(pool).update("DELETE FROM distribution_lock_fence");
    }

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable each : opened) {
            each.close();
        }
        opened.clear();
    }

    private <T extends AutoCloseable> T opened(T resource) {
        opened.add(0, resource);
        return resource;
    }

    private CommitFence fenceOn(HikariDataSource source, Duration lockTimeout) {
        JdbcCommitFences fences = opened(
                new JdbcCommitFences("distribution_lock_fence", lockTimeout, Duration.ofDays(7), dataSource -> {}));
        return fences.find(new DataSourceTransactionManager(source));
    }

    private TransactionTemplate transactions(HikariDataSource source) {
        return new TransactionTemplate(new DataSourceTransactionManager(source));
    }

    private OptionalLong tokenOf(String name) {
        return transactions(pool).execute(status -> locked(name));
    }

    private OptionalLong locked(String name) {
        CommitFence.Row row = fence.lock(name, "somebody");
        return row == null ? OptionalLong.empty() : OptionalLong.of(row.token());
    }

    private long announce(String name, long token) {
        return announce(fence, name, token);
    }

    private static long announce(CommitFence fence, String name, long token) {
        String holder = UUID.randomUUID().toString();
        CommitFence.Row row = fence.announce(name, token, holder);
        if (row.token() <= token) {
            assertThat(row).isEqualTo(new CommitFence.Row(token, holder));
        }
        return row.token();
    }

    @Test
    void aTokenIsRaisedAndNeverLowered() {
        assertThat(tokenOf("stock:1")).isEmpty();
        assertThat(announce("stock:1", 5)).isEqualTo(5);
        assertThat(announce("stock:1", 7)).isEqualTo(7);
        assertThat(announce("stock:1", 6)).isEqualTo(7);
        assertThat(announce("stock:1", 7)).isEqualTo(7);
        assertThat(tokenOf("stock:1")).hasValue(7);
    }

    /** Two masters of a split may draw the same token. */
    @Test
    void ofTwoHoldersWithEqualTokensTheLaterOneStays() {
        announce("stock:1", 5);
        announce("stock:1", 5);
    }

    @Test
    void namesThatManyDatabasesTakeForEqualAreDifferent() {
        List<String> names = List.of(
                "stock",
                "STOCK",
                "stock ",
                " stock",
                "stöck",
                "stock\n",
                "stock%",
                "stock_",
                "x".repeat(4096),
                "x".repeat(4095) + "y",
                "库存",
                "😀",
                "'; --");
        for (int i = 0; i < names.size(); i++) {
            assertThat(announce(names.get(i), 100 + i)).isEqualTo(100 + i);
        }
        for (int i = 0; i < names.size(); i++) {
            assertThat(tokenOf(names.get(i))).as(names.get(i)).hasValue(100 + i);
        }
    }

    @Test
    void ofManyThatAnnounceAtOnceTheGreatestStays() throws Exception {
        for (int round = 0; round < 5; round++) {
            String name = "round:" + round;
            CountDownLatch start = new CountDownLatch(1);
            List<CompletableFuture<Long>> all = IntStream.rangeClosed(1, 8)
                    .mapToObj(token -> CompletableFuture.supplyAsync(
                            () -> {
                                awaitLatch(start);
                                return announce(name, token);
                            },
                            threads))
                    .toList();
            start.countDown();
            for (int token = 1; token <= 8; token++) {
                assertThat(all.get(token - 1).get(60, TimeUnit.SECONDS)).isGreaterThanOrEqualTo(token);
            }
            assertThat(tokenOf(name)).hasValue(8);
        }
    }

    private static void awaitLatch(CountDownLatch latch) {
        try {
            latch.await(60, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void whoHasComparedKeepsOthersFromAnnouncingUntilItHasCommitted() {
        announce("stock:1", 1);
        CompletableFuture<Long> next = transactions(pool).execute(status -> {
            assertThat(locked("stock:1")).hasValue(1);
            CompletableFuture<Long> announcing = CompletableFuture.supplyAsync(() -> announce("stock:1", 2), threads);
            await().during(Duration.ofMillis(300)).atMost(LONG).until(() -> !announcing.isDone());
            assertThat(announce("stock:2", 3)).as("another name").isEqualTo(3);
            return announcing;
        });
        await().atMost(LONG).until(next::isDone);
        assertThat(next.join()).isEqualTo(2);
    }

    @Test
    void whoWaitsTooLongForACommitIsTold() {
        announce("stock:1", 1);
        CommitFence impatient = fenceOn(pool, Duration.ofSeconds(1));
        transactions(pool).executeWithoutResult(status -> {
            locked("stock:1");
            CompletableFuture<Long> announcing =
                    CompletableFuture.supplyAsync(() -> announce(impatient, "stock:1", 2), threads);
            await().atMost(LONG).until(announcing::isDone);
            assertThatThrownBy(announcing::join).hasCauseInstanceOf(TransientDataAccessException.class);
        });
        assertThat(tokenOf("stock:1")).hasValue(1);
    }

    @ParameterizedTest
    @ValueSource(
            ints = {
                TransactionDefinition.ISOLATION_READ_COMMITTED,
                TransactionDefinition.ISOLATION_REPEATABLE_READ,
                TransactionDefinition.ISOLATION_SERIALIZABLE
            })
    void whoWasOvertakenFindsTheTokenThatCameAfter(int isolation) {
        database.execute("CREATE TABLE IF NOT EXISTS counter (n INT)");
        announce("stock:1", 1);
        TransactionTemplate transactions = transactions(pool);
        transactions.setIsolationLevel(isolation);
        transactions.executeWithoutResult(status -> {
            new JdbcTemplate(pool).queryForList("SELECT n FROM counter");
            overtake();
            assertThat(locked("stock:1")).as("the token that came after").hasValue(2);
            status.setRollbackOnly();
        });
    }

    private void overtake() {
        assertThat(CompletableFuture.supplyAsync(() -> announce("stock:1", 2), threads)
                        .join())
                .isEqualTo(2);
    }

    /** A frozen session keeps the row. */
    @Test
    void whoCannotCompareInTimeIsToldAndWasNotOvertaken() throws Exception {
        CommitFence impatient = fenceOn(pool, Duration.ofSeconds(1));
        String holder = UUID.randomUUID().toString();
        impatient.announce("stock:1", 1, holder);
        try (Connection frozen = pool.getConnection()) {
            frozen.setAutoCommit(false);
            transactions(pool).executeWithoutResult(status -> {
                keepRow(frozen);
                assertThatThrownBy(() -> impatient.lock("stock:1", holder))
                        .isInstanceOf(TransientDataAccessException.class);
                status.setRollbackOnly();
            });
            frozen.rollback();
        }
        assertThat(tokenOf("stock:1")).hasValue(1);
    }

    @Test
    void whoIsTheVictimOfADeadlockIsToldAndWasNotOvertaken() throws Exception {
        database.execute("CREATE TABLE IF NOT EXISTS article (id INT PRIMARY KEY, n INT)");
        database.execute("DELETE FROM article");
        database.execute("INSERT INTO article VALUES (0, 0)");
        String holder = UUID.randomUUID().toString();
        fence.announce("stock:1", 1, holder);
        try (Connection other = pool.getConnection()) {
            JdbcTemplate ofOther = new JdbcTemplate(new SingleConnectionDataSource(other, true));
            database.letOthersBeVictimsOf(ofOther);
            other.setAutoCommit(false);
            IntStream.rangeClosed(1, 50).forEach(id -> ofOther.update("INSERT INTO article VALUES (?, 0)", id));
            transactions(pool).executeWithoutResult(status -> {
                new JdbcTemplate(pool).update("UPDATE article SET n = 1 WHERE id = 0");
                keepRow(other);
                CountDownLatch waits = new CountDownLatch(1);
                CompletableFuture<Integer> waiting = CompletableFuture.supplyAsync(
                        () -> {
                            waits.countDown();
                            return ofOther.update("UPDATE article SET n = 2 WHERE id = 0");
                        },
                        threads);
                awaitLatch(waits);
                await().during(Duration.ofMillis(300)).atMost(LONG).until(() -> !waiting.isDone());
                assertThatThrownBy(() -> fence.lock("stock:1", holder)).isInstanceOf(ConcurrencyFailureException.class);
                status.setRollbackOnly();
                await().atMost(LONG).until(waiting::isDone);
            });
            other.rollback();
        }
    }

    private static void keepRow(Connection connection) {
        new JdbcTemplate(new SingleConnectionDataSource(connection, true))
                .queryForList("SELECT token FROM distribution_lock_fence WHERE lock_name = 'stock:1' FOR UPDATE");
    }

    @ParameterizedTest
    @ValueSource(
            ints = {
                TransactionDefinition.ISOLATION_READ_COMMITTED,
                TransactionDefinition.ISOLATION_REPEATABLE_READ,
                TransactionDefinition.ISOLATION_SERIALIZABLE
            })
    void whoWasNotOvertakenFindsItsOwnToken(int isolation) {
        announce("stock:1", 1);
        TransactionTemplate transactions = transactions(pool);
        transactions.setIsolationLevel(isolation);
        assertThat(transactions.<OptionalLong>execute(status -> locked("stock:1")))
                .hasValue(1);
    }

    @Test
    void anAnnouncementNeedsOneConnectionAndGivesItBack() {
        HikariDataSource one = opened(database.pool(1));
        CommitFence small = fenceOn(one, Duration.ofSeconds(30));
        for (int token = 1; token <= 3; token++) {
            assertThat(announce(small, "stock:1", token)).isEqualTo(token);
        }
        Long found = transactions(one)
                .execute(status -> small.lock("stock:1", "somebody").token());
        assertThat(found).isEqualTo(3);
    }

    @Test
    void aPoolWhoseConnectionsDoNotCommitByThemselvesKeepsWhatWasAnnounced() throws Exception {
        HikariDataSource manual = opened(database.pool(1, settings -> settings.setAutoCommit(false)));
        announce(fenceOn(manual, Duration.ofSeconds(30)), "stock:1", 4);
        assertThat(tokenOf("stock:1")).hasValue(4);
        try (Connection connection = manual.getConnection()) {
            assertThat(connection.getAutoCommit()).isFalse();
        }
    }

    @Test
    void aTableInASchemaOfItsOwnIsUsed() {
        database.execute("CREATE SCHEMA locks");
        database.execute("CREATE TABLE locks.fence (lock_name VARCHAR(150) NOT NULL PRIMARY KEY, token BIGINT NOT NULL,"
                + " holder CHAR(36) NOT NULL, announced_at TIMESTAMP NOT NULL)");
        CommitFence elsewhere = opened(new JdbcCommitFences("locks.fence", LONG, Duration.ofDays(7), dataSource -> {}))
                .find(new DataSourceTransactionManager(pool));
        assertThat(announce(elsewhere, "stock:1", 5)).isEqualTo(5);
        Long found = transactions(pool)
                .execute(status -> elsewhere.lock("stock:1", "somebody").token());
        assertThat(found).isEqualTo(5);
        assertThat(tokenOf("stock:1")).isEmpty();
    }

    @Test
    void aComparisonWithoutTransactionIsRefused() {
        announce("stock:1", 1);
        assertThatThrownBy(() -> fence.lock("stock:1", "somebody")).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void inAReadOnlyTransactionEitherNothingCanBeWrittenOrTheTokenCanBeCompared() {
        announce("stock:1", 1);
        TransactionTemplate transactions = transactions(pool);
        transactions.setReadOnly(true);
        transactions.executeWithoutResult(status -> {
            if (fence.refusesWrites()) {
                assertThatThrownBy(() -> new JdbcTemplate(pool).update("DELETE FROM distribution_lock_fence"))
                        .isInstanceOf(DataAccessException.class);
                status.setRollbackOnly();
            } else {
                assertThat(locked("stock:1")).hasValue(1);
            }
        });
        assertThat(tokenOf("stock:1")).hasValue(1);
    }

    @Test
    void oldRowsAreDeletedAndWhoseRowIsGoneFindsNone() {
        announce("old", 1);
        makeAllOld();
        announce("young", 2);
        ((JdbcFence) fence).prune(Duration.ofDays(7), 100);
        assertThat(tokenOf("old")).isEmpty();
        assertThat(tokenOf("young")).hasValue(2);
    }

    @Test
    void rowsAreDeletedAFewAtATime() {
        IntStream.range(0, 7).forEach(i -> announce("name:" + i, 1));
        makeAllOld();
        announce("young", 1);
        ((JdbcFence) fence).prune(Duration.ofDays(7), 5);
        assertThat(rows()).isEqualTo(3);
    }

    /** A lock of a new name each second makes more rows than one batch in ten minutes. */
    @Test
    void allOldRowsAreDeletedHoweverManyThereAre() {
        IntStream.range(0, 450).forEach(i -> announce("name:" + i, 1));
        makeAllOld();
        announce("young", 1);
        try (FencePruning pruning = new FencePruning((JdbcFence) fence, Duration.ofDays(7))) {
            pruning.prune();
        }
        assertThat(rows()).isEqualTo(1);
    }

    private void makeAllOld() {
        new JdbcTemplate(pool)
                .update(
                        "UPDATE distribution_lock_fence SET announced_at = ?",
                        Timestamp.from(Instant.now().minus(Duration.ofDays(9))));
    }

    private int rows() {
        return new JdbcTemplate(pool)
                .queryForList("SELECT lock_name FROM distribution_lock_fence")
                .size();
    }
}
