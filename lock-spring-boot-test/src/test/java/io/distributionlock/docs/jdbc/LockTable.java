package io.distributionlock.docs.jdbc;

import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.JdbcTemplate;

/** The statements. Each of them is a transaction of its own, and only the clock of the database counts. */
final class LockTable {

    private final JdbcTemplate jdbc;
    private final String process;

    /** @param process the name of this process, unlike that of any other */
    LockTable(JdbcTemplate jdbc, String process) {
        this.jdbc = jdbc;
        this.process = process;
    }

    static void create(JdbcTemplate jdbc) {
        jdbc.execute("""
                create table if not exists lock_holder (
                    name varchar primary key,
                    claim varchar,
                    held_until timestamp(9) with time zone not null,
                    fence bigint not null)
                """);
        jdbc.execute("""
                create table if not exists lock_queue (
                    ticket bigint generated always as identity primary key,
                    name varchar not null,
                    process varchar not null,
                    valid_until timestamp(9) with time zone not null,
                    unique (name, process))
                """);
    }

    /** Acquires the lock if it is free and no other process has queued up before; returns the fencing number. */
    OptionalLong acquire(String name, String claim, Duration lease) {
        if (update(name, claim, lease) || (insert(name) && update(name, claim, lease))) {
            return jdbc
                    .queryForList("select fence from lock_holder where name = ? and claim = ?", Long.class, name, claim)
                    .stream()
                    .mapToLong(Long::longValue)
                    .findFirst();
        }
        return OptionalLong.empty();
    }

    private boolean update(String name, String claim, Duration lease) {
        return jdbc.update("""
                        update lock_holder
                        set claim = ?, fence = fence + 1, held_until = dateadd(millisecond, ?, current_timestamp)
                        where name = ? and held_until <= current_timestamp
                        and not exists (
                            select 1 from lock_queue other
                            where other.name = lock_holder.name and other.process <> ?
                            and other.valid_until > current_timestamp
                            and not exists (
                                select 1 from lock_queue own
                                where own.name = other.name and own.process = ? and own.ticket < other.ticket))
                        """, claim, lease.toMillis(), name, process, process) == 1;
    }

    /** Rows stay for good: they keep the fencing number. */
    private boolean insert(String name) {
        try {
            return jdbc.update("""
                            insert into lock_holder (name, held_until, fence)
                            select cast(? as varchar), current_timestamp, 0
                            where not exists (select 1 from lock_holder where name = ?)
                            """, name, name) == 1;
        } catch (DuplicateKeyException e) {
            return true;
        }
    }

    /** Extends the lease unless it has expired. */
    boolean extend(String name, String claim, Duration lease) {
        return jdbc.update("""
                        update lock_holder
                        set held_until = greatest(held_until, dateadd(millisecond, ?, current_timestamp))
                        where name = ? and claim = ? and held_until > current_timestamp
                        """, lease.toMillis(), name, claim) == 1;
    }

    /** Releases the lock, or keeps it from everybody for a while. */
    boolean release(String name, String claim, Duration keep) {
        return jdbc.update("""
                        update lock_holder
                        set claim = null, held_until = dateadd(millisecond, ?, current_timestamp)
                        where name = ? and claim = ? and held_until > current_timestamp
                        """, keep.toMillis(), name, claim) == 1;
    }

    boolean forceRelease(String name) {
        return jdbc.update("""
                        update lock_holder
                        set claim = null, held_until = current_timestamp
                        where name = ? and claim is not null and held_until > current_timestamp
                        """, name) == 1;
    }

    boolean isLocked(String name) {
        return !traces(name).isEmpty();
    }

    /** Returns the claim that holds this lock, if there is one. */
    List<String> traces(String name) {
        return jdbc.queryForList(
                "select claim from lock_holder where name = ? and claim is not null and held_until > current_timestamp",
                String.class,
                name);
    }

    /** Returns the claims by which this process holds locks. */
    Set<String> claims() {
        return Set.copyOf(jdbc.queryForList(
                "select claim from lock_holder where claim like ? and held_until > current_timestamp",
                String.class,
                process + "/%"));
    }

    /** Queues this process up for the lock, or keeps its place. A process that crashes loses it. */
    void queueUp(String name, Duration validity) {
        int kept = jdbc.update("""
                update lock_queue set valid_until = dateadd(millisecond, ?, current_timestamp)
                where name = ? and process = ?
                """, validity.toMillis(), name, process);
        if (kept == 0) {
            jdbc.update("delete from lock_queue where name = ? and valid_until <= current_timestamp", name);
            jdbc.update("""
                    insert into lock_queue (name, process, valid_until)
                    values (?, ?, dateadd(millisecond, ?, current_timestamp))
                    """, name, process, validity.toMillis());
        }
    }

    void leaveQueue(String name) {
        jdbc.update("delete from lock_queue where name = ? and process = ?", name, process);
    }
}
