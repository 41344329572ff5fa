package io.distributionlock.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributionlock.backend.CommandPort.Renewal;
import io.distributionlock.backend.RenewReply;
import io.distributionlock.testing.RedisProcess;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** One script renews many leases. The owner keys are written here, in each of their forms. */
@Tag("server")
@Tag("boot4")
class RenewalBatchTest {

    private static final long LEASE = 60_000;
    private static final long SHORT = 20_000;
    private static final RenewReply HELD = new RenewReply(true, 0);
    private static final RenewReply WANTED = new RenewReply(true, 1);
    private static final RenewReply GONE = new RenewReply(false, 0);

    private final RedisProcess redis = RedisProcess.start();
    private final TestProcess process = new TestProcess(redis.port(), "host:a", settings -> settings);

    @AfterEach
    void end() {
        process.close();
        redis.close();
    }

    @ParameterizedTest
    @CsvSource({"1, 1", "100, 1", "101, 2", "250, 3"})
    void aHundredClaimsShareAScriptAndEachCostsTwoCommands(int claims, int scripts) {
        List<Renewal> renewals = IntStream.range(0, claims)
                .mapToObj(i -> new Renewal("name" + i, own("name" + i), LEASE, false, false))
                .toList();
        renew(renewals.subList(0, 1)); // Redis learns the script.
        redis.command("CONFIG", "RESETSTAT");

        assertThat(renew(renewals)).containsOnly(HELD).hasSize(claims);

        assertThat(redis.calls("evalsha")).isEqualTo(scripts);
        assertThat(redis.calls("mget")).isEqualTo(scripts);
        assertThat(redis.calls("pttl")).isEqualTo(claims);
        assertThat(redis.calls("pexpire")).isEqualTo(claims);
        for (String other : List.of("get", "set", "time", "exists", "eval")) {
            assertThat(redis.calls(other)).as(other).isZero();
        }
        for (int i = 0; i < claims; i++) {
            assertLeft(key("name" + i), LEASE);
        }
    }

    @Test
    void aFencingNumberOutlivesItsLeaseForOneCommandMore() {
        own("numbered");
        own("long");
        own("without");
        Stream.of("numbered", "long").forEach(name -> redis.command("SET", key(name) + ":fence", "7", "PX", "1000"));
        long hour = 3_600_000;
        List<Renewal> renewals = List.of(
                new Renewal("numbered", "host:a:numbered", LEASE, false, true),
                new Renewal("without", "host:a:without", LEASE, false, false),
                new Renewal("long", "host:a:long", hour, false, true));
        redis.command("CONFIG", "RESETSTAT");

        assertThat(renew(renewals)).containsExactly(HELD, HELD, HELD);

        assertThat(redis.calls("pexpire")).isEqualTo(5);
        assertLeft(key("numbered") + ":fence", 600_000);
        assertLeft(key("long") + ":fence", hour + 300_000);
        // What remembers the number lasts as long as the lease that is left, not as the one that was asked for.
        assertThat(renew(List.of(new Renewal("long", "host:a:long", SHORT)))).containsExactly(HELD);
        assertLeft(key("long"), hour);
        assertLeft(key("long") + ":fence", hour + 300_000);
    }

    @Test
    void eachClaimOfABatchHasItsOwnAnswer() {
        long now = millis();
        own("uncontended");
        own("longer");
        redis.command("PEXPIRE", key("longer"), String.valueOf(2 * LEASE));
        own("checked");
        redis.command("SET", key("foreign"), "host:b:1", "PX", "20000");
        redis.command("SET", key("prefix"), "host:a:prefix0", "PX", "20000");
        contend("contended", now + SHORT);
        contend("contended longer", now + 2 * LEASE);
        contend("contended checked", now + SHORT);
        contend("over", now - 1);
        redis.command("SET", key("kept"), "min-hold:host:a:kept " + (now + SHORT), "PX", "23000");
        redis.command("RPUSH", key("not ours"), "a list");
        own("numbered");
        redis.command("RPUSH", key("numbered") + ":fence", "not a number");
        List<Renewal> renewals = new ArrayList<>();
        for (String name : List.of(
                "uncontended",
                "longer",
                "foreign",
                "absent",
                "prefix",
                "contended",
                "contended longer",
                "over",
                "kept",
                "not ours")) {
            renewals.add(new Renewal(name, "host:a:" + name, LEASE, false, false));
        }
        renewals.add(3, new Renewal("checked", "host:a:checked", 0, false, false));
        renewals.add(4, new Renewal("contended checked", "host:a:contended checked", 0, false, false));
        renewals.add(new Renewal("numbered", "host:a:numbered", LEASE));

        assertThat(renew(renewals))
                .containsExactly(HELD, HELD, GONE, HELD, WANTED, GONE, GONE, WANTED, WANTED, GONE, GONE, GONE, HELD);

        assertLeft(key("uncontended"), LEASE);
        assertLeft(key("longer"), 2 * LEASE);
        assertLeft(key("checked"), SHORT);
        assertLeft(key("contended"), LEASE + 3_000);
        assertThat(endOf("contended")).isBetween(now + LEASE, millis() + LEASE);
        assertLeft(key("contended longer"), 2 * LEASE + 3_000);
        assertThat(endOf("contended longer")).isEqualTo(now + 2 * LEASE);
        assertLeft(key("contended checked"), SHORT + 3_000);
        assertThat(endOf("contended checked")).isEqualTo(now + SHORT);
        for (String untouched : List.of("foreign", "prefix", "kept", "over")) {
            assertThat(left(key(untouched))).as(untouched).isLessThanOrEqualTo(23_000);
        }
        assertLeft(key("numbered"), LEASE);
    }

    @Test
    void aFullMemoryStopsNeitherForm() {
        own("uncontended");
        contend("contended", millis() + SHORT);
        redis.command("CONFIG", "SET", "maxmemory", "1");

        assertThat(renew(List.of(
                        new Renewal("contended", "host:a:contended", LEASE),
                        new Renewal("uncontended", "host:a:uncontended", LEASE))))
                .containsExactly(WANTED, HELD);
        assertThat(endOf("contended")).isGreaterThan(millis() + SHORT + 1);
    }

    @Test
    void readersAreRenewedByTheirOwnScript() {
        String ends = String.valueOf(millis() + SHORT);
        redis.command("SET", key("read"), "readers", "PX", "23000");
        redis.command("ZADD", key("read") + ":readers", ends, "host:a:r1");
        own("uncontended");

        assertThat(renew(List.of(
                        new Renewal("read", "host:a:r1", LEASE, true, true),
                        new Renewal("uncontended", "host:a:uncontended", LEASE, false, false),
                        new Renewal("read", "host:a:3", LEASE, false, false),
                        new Renewal("read", "host:a:r4", LEASE, true, true))))
                .containsExactly(HELD, HELD, GONE, GONE);

        assertThat(Long.parseLong((String) redis.command("ZSCORE", key("read") + ":readers", "host:a:r1")))
                .isGreaterThan(millis() + SHORT);
    }

    private List<RenewReply> renew(List<Renewal> renewals) {
        return process.port.renew(renewals).stream().map(TestProcess::answer).toList();
    }

    private String own(String name) {
        redis.command("SET", key(name), "host:a:" + name, "PX", String.valueOf(SHORT));
        return "host:a:" + name;
    }

    private void contend(String name, long end) {
        redis.command("SET", key(name), "host:a:" + name + " " + end, "PX", "23000");
        redis.command("PEXPIREAT", key(name), String.valueOf(Math.max(end, millis()) + 3_000));
    }

    private long endOf(String name) {
        String owner = (String) Objects.requireNonNull(redis.command("GET", key(name)));
        return Long.parseLong(owner.substring(owner.lastIndexOf(' ') + 1));
    }

    private static String key(String name) {
        return "distribution-lock:{" + name + "}";
    }

    private static long millis() {
        return System.currentTimeMillis();
    }

    private long left(String key) {
        return (Long) Objects.requireNonNull(redis.command("PTTL", key));
    }

    /** To a few seconds, as tests take time. */
    private void assertLeft(String key, long millis) {
        assertThat(left(key)).as(key).isBetween(millis - 15_000, millis);
    }
}
