package io.distributionlock.faults;

import static io.distributionlock.faults.FaultSuite.awaitTime;
import static io.distributionlock.faults.FaultSuite.eventually;
import static io.distributionlock.faults.FaultSuite.since;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.distributionlock.Lease;
import io.distributionlock.LockOutcome;
import io.distributionlock.LockRequest;
import io.distributionlock.ReleaseResult;
import io.distributionlock.engine.ActiveNames;
import io.distributionlock.quorum.QuorumMode;
import io.distributionlock.quorum.QuorumNodeState;
import io.distributionlock.testing.RedisProcess;
import io.distributionlock.testing.TcpProxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Locks over real servers that are killed, stopped, cut off and started again, a few or most of them. */
@Tag("server")
@Timeout(180)
class QuorumFaultsIT {

    private static final Duration SOON = Duration.ofSeconds(20);
    private static final Duration LONG = Duration.ofSeconds(60);

    /** The time per node, twice, and what a loaded machine adds. */
    private static final Duration ABOUT_THE_TIME_PER_NODE =
            QuorumInstance.NODE_TIMEOUT.multipliedBy(2).plusSeconds(2);

    /** A node that is silent for no longer may be slow, and is waited for. */
    private static final Duration MAX_SILENCE = Duration.ofSeconds(10);

    private final String name = "quorum:" + UUID.randomUUID();
    private final List<RedisProcess> servers = new ArrayList<>();
    private final List<TcpProxy> proxies = new ArrayList<>();
    private final List<QuorumInstance> instances = new ArrayList<>();

    @AfterEach
    void endEverything() {
        try {
            await().atMost(SOON).untilAsserted(this::nothingIsLeft);
        } finally {
            instances.forEach(QuorumInstance::close);
            proxies.forEach(TcpProxy::close);
            servers.forEach(RedisProcess::close);
        }
    }

    private void nothingIsLeft() {
        for (RedisProcess server : servers) {
            if (server.isRunning()) {
                assertThat((List<?>) server.command("KEYS", "*"))
                        .as(server.toString())
                        .allMatch(key -> String.valueOf(key).endsWith(":fence")
                                || String.valueOf(key).contains(":gone:"));
            }
        }
        assertThat(instances).allMatch(instance -> ActiveNames.of(instance.executor()) == 0);
    }

    @Test
    void withOneOfThreeKilledEverythingGoesOn() {
        startServers(3);
        QuorumInstance here = newInstance(Duration.ZERO, ports()).warmedUp();
        Lease held = acquire(here, name, renewed(Duration.ofSeconds(5)));
        servers.get(1).kill();
        long killedAt = System.nanoTime();
        for (int i = 0; i < 20; i++) {
            Lease other = acquire(here, name + ":other", fixed(LONG));
            assertThat(other.release()).isEqualTo(ReleaseResult.RELEASED);
        }
        assertThat(here.executor().isLocked(name)).succeedsWithin(SOON).isEqualTo(true);
        awaitTime(Duration.ofSeconds(8), killedAt);
        assertThat(held.isValid()).isTrue();
        assertThat(held.confirm()).isTrue();
        assertThat(held.release()).isEqualTo(ReleaseResult.RELEASED);
        eventually()
                .untilAsserted(() -> assertThat(here.executor().nodes())
                        .extracting(QuorumNodeState::reachable)
                        .containsExactly(true, false, true));
    }

    @Test
    void withTwoOfThreeKilledItFailsWithinTheTimePerNodeAndRecoversByItself() {
        startServers(3);
        QuorumInstance here = newInstance(Duration.ZERO, ports()).warmedUp();
        servers.get(0).kill();
        servers.get(2).kill();
        for (int i = 0; i < 3; i++) {
            long start = System.nanoTime();
            LockOutcome outcome = here.locks()
                    .attempt(LockRequest.named(name).tryLockTime(LONG).build());
            assertThat(outcome)
                    .isInstanceOfSatisfying(
                            LockOutcome.BackendFailed.class,
                            failed -> assertThat(failed.cause()).hasMessageContaining("2 of 3 nodes"));
            assertThat(since(start)).isLessThan(ABOUT_THE_TIME_PER_NODE);
        }
        servers.get(0).startAgain();
        servers.get(2).startAgain();
        eventually().until(() -> reachesAll(here));
        assertThat(acquire(here, name, fixed(LONG)).release()).isEqualTo(ReleaseResult.RELEASED);
    }

    @Tag("long")
    @Test
    void whoeverWaitsForABusyLockOutlivesAnOutageOfTheMajority() throws Exception {
        startServers(3);
        QuorumInstance here = newInstance(Duration.ZERO, ports()).warmedUp();
        QuorumInstance there = newInstance(Duration.ZERO, ports()).warmedUp();
        Duration hold = Duration.ofSeconds(12);
        Lease lease = acquire(here, name, fixed(hold));
        CompletableFuture<LockOutcome> waiter = there.locks().acquireAsync(fixed(LONG));
        // Most nodes answer this after they have said that the lock is busy.
        assertThat(there.executor().isLocked(name)).succeedsWithin(SOON).isEqualTo(true);
        servers.get(0).pause();
        servers.get(1).pause();
        // An attempt has failed, and another one was made.
        eventually().until(() -> there.executor().nodes().subList(0, 2).stream().noneMatch(QuorumNodeState::reachable));
        awaitTime(Duration.ofMillis(1_400), System.nanoTime());
        assertThat(waiter).isNotDone();
        servers.get(0).resume();
        servers.get(1).resume();
        assertThat(waiter).succeedsWithin(SOON.plus(hold));
        assertThat(lease.isValid()).isFalse();
        Lease next = ((LockOutcome.Acquired) waiter.get()).lease();
        assertThat(next.fencingToken()).isGreaterThan(lease.fencingToken());
        assertThat(next.release()).isEqualTo(ReleaseResult.RELEASED);
        assertThat(lease.release()).isEqualTo(ReleaseResult.LOST);
    }

    @Tag("long")
    @Test
    void whenAllHaveToAgreeOneThatIsAwayIsTooMuch() {
        startServers(3);
        QuorumInstance here =
                newInstance(QuorumMode.ALL, Duration.ZERO, ports()).warmedUp();
        assertThat(acquire(here, name, fixed(LONG)).release()).isEqualTo(ReleaseResult.RELEASED);
        servers.get(0).pause();
        long start = System.nanoTime();
        assertThat(here.locks().attempt(fixed(LONG))).isInstanceOf(LockOutcome.BackendFailed.class);
        assertThat(since(start)).isLessThan(MAX_SILENCE.plus(ABOUT_THE_TIME_PER_NODE));
        servers.get(0).resume();
        eventually().until(() -> here.executor().nodes().get(0).reachable());
        assertThat(acquire(here, name, fixed(LONG)).release()).isEqualTo(ReleaseResult.RELEASED);
    }

    @Tag("long")
    @Test
    void aHolderThatLosesTheMajorityLosesTheLockWhenItsLeaseEnds() {
        startServers(3);
        QuorumInstance here = newInstance(Duration.ZERO, ports()).warmedUp();
        AtomicBoolean toldLost = new AtomicBoolean();
        Duration lease = Duration.ofSeconds(3);
        Lease held = acquire(here, name, renewed(lease));
        held.onLost(lost -> toldLost.set(true));
        servers.get(0).kill();
        servers.get(1).kill();
        long killedAt = System.nanoTime();
        eventually().until(() -> !held.isValid());
        assertThat(since(killedAt)).isLessThan(lease.plusSeconds(5));
        eventually().untilTrue(toldLost);
        assertThat(held.release()).isEqualTo(ReleaseResult.LOST);
    }

    @Tag("long")
    @Test
    void aNodeThatIsMuteDelaysNobodyAndKeepsNothing() {
        startServers(3);
        QuorumInstance here = newInstance(Duration.ZERO, ports()).warmedUp();
        servers.get(2).pause();
        long start = System.nanoTime();
        for (int i = 0; i < 20; i++) {
            assertThat(acquire(here, name, fixed(LONG)).release()).isEqualTo(ReleaseResult.RELEASED);
        }
        // Each would take at least the time per node if it waited for the mute one.
        assertThat(since(start)).isLessThan(QuorumInstance.NODE_TIMEOUT.multipliedBy(15));
        servers.get(2).resume();
        eventually().until(() -> here.executor().nodes().get(2).reachable());
    }

    @Tag("long")
    @Test
    void whatWasTakenByAnAttemptWhoseAnswersWereLostIsGivenBack() {
        startServers(3);
        startProxies();
        QuorumInstance here = newInstance(Duration.ZERO, proxyPorts()).warmedUp();
        QuorumInstance there = newInstance(Duration.ZERO, ports()).warmedUp();
        proxies.get(0).stick(TcpProxy.Direction.TO_CLIENT);
        proxies.get(1).stick(TcpProxy.Direction.TO_CLIENT);
        assertThat(here.locks().attempt(fixed(LONG))).isInstanceOf(LockOutcome.BackendFailed.class);
        // The releases reach the servers although their answers do not: nobody waits for the lease of a minute to end.
        long start = System.nanoTime();
        assertThat(acquire(there, name, fixed(LONG)).release()).isEqualTo(ReleaseResult.RELEASED);
        assertThat(since(start)).isLessThan(SOON);
        proxies.forEach(TcpProxy::flow);
        eventually().until(() -> reachesAll(here));
    }

    @Tag("long")
    @Test
    void anAttemptThatArrivesAfterItWasGivenUpTakesNothing() {
        startServers(3);
        startProxies();
        QuorumInstance here = newInstance(Duration.ZERO, proxyPorts()).warmedUp();
        QuorumInstance there = newInstance(Duration.ZERO, ports()).warmedUp();
        proxies.get(0).stick(TcpProxy.Direction.TO_SERVER);
        proxies.get(1).stick(TcpProxy.Direction.TO_SERVER);
        assertThat(here.locks().attempt(fixed(LONG))).isInstanceOf(LockOutcome.BackendFailed.class);
        // What was sent overtakes nothing: it arrives after the releases that go over new connections.
        proxies.get(0).strand();
        proxies.get(1).strand();
        eventually().until(() -> reachesAll(here));
        await().atMost(SOON).until(() -> tombstones() >= 2);
        proxies.forEach(TcpProxy::flow);
        long start = System.nanoTime();
        assertThat(acquire(there, name, fixed(LONG)).release()).isEqualTo(ReleaseResult.RELEASED);
        assertThat(since(start)).isLessThan(SOON);
    }

    private long tombstones() {
        return servers.stream()
                .filter(server -> ((List<?>) server.command("KEYS", "*"))
                        .stream().anyMatch(key -> String.valueOf(key).contains(":gone:")))
                .count();
    }

    @Tag("long")
    @Test
    void aHolderThatIsCutOffHasLostTheLockBeforeAnotherGetsIt() throws Exception {
        startServers(3);
        startProxies();
        QuorumInstance here = newInstance(Duration.ZERO, proxyPorts()).warmedUp();
        QuorumInstance there = newInstance(Duration.ZERO, ports()).warmedUp();
        Lease held = acquire(here, name, renewed(Duration.ofSeconds(3)));
        CompletableFuture<LockOutcome> waiter = there.locks().acquireAsync(fixed(LONG));
        CompletableFuture<Boolean> validWhenAnotherGotIt = waiter.thenApply(outcome -> held.isValid());
        for (TcpProxy proxy : proxies.subList(0, 2)) {
            proxy.refuse(true);
            proxy.cut();
        }
        assertThat(validWhenAnotherGotIt).succeedsWithin(SOON).isEqualTo(false);
        assertThat(here.locks().attempt(fixed(LONG))).isInstanceOf(LockOutcome.BackendFailed.class);
        Lease next = ((LockOutcome.Acquired) waiter.get()).lease();
        assertThat(next.fencingToken()).isGreaterThan(held.fencingToken());
        assertThat(next.release()).isEqualTo(ReleaseResult.RELEASED);
        proxies.forEach(proxy -> proxy.refuse(false));
        eventually().until(() -> reachesAll(here));
        assertThat(acquire(here, name, fixed(LONG)).release()).isEqualTo(ReleaseResult.RELEASED);
    }

    @Tag("long")
    @Test
    void fencingNumbersGrowWhileTheReachableNodesChange() {
        startServers(3);
        QuorumInstance here = newInstance(Duration.ZERO, ports()).warmedUp();
        QuorumInstance there = newInstance(Duration.ZERO, ports()).warmedUp();
        // A number far ahead of the clocks, at one node only: whoever meets it has to carry it on to the others.
        List<Long> tokens = new ArrayList<>();
        tokens.add(token(here));
        for (int away = 0; away < 3; away++) {
            setNumberAhead(servers.get((away + 1) % 3));
            servers.get(away).pause();
            tokens.add(token(here));
            tokens.add(token(there));
            servers.get(away).resume();
            eventually().until(() -> instances.stream().allMatch(QuorumFaultsIT::reachesAll));
            servers.get((away + 1) % 3).pause();
            tokens.add(token(there));
            tokens.add(token(here));
            servers.get((away + 1) % 3).resume();
            eventually().until(() -> instances.stream().allMatch(QuorumFaultsIT::reachesAll));
        }
        assertThat(tokens).isSorted().doesNotHaveDuplicates();
    }

    /** The clock of the last node is ahead; the node in the middle comes back empty, answers, and is too young to count. */
    @Tag("long")
    @Test
    void aNodeThatAnswersLastDoesNotMakeAnEarlierNumberComeAgain() {
        startServers(3);
        startProxies();
        QuorumInstance here = newInstance(
                        Duration.ofSeconds(12),
                        List.of(
                                servers.get(0).port(),
                                servers.get(1).port(),
                                proxies.get(2).port()))
                .warmedUp();
        token(here);
        setNumberAhead(servers.get(2));
        servers.get(0).pause();
        long earlier = token(here);
        servers.get(0).resume();
        servers.get(1).kill();
        servers.get(1).startAgain();
        // It is asked again.
        eventually().until(() -> {
            acquire(here, name + ":other", fixed(LONG)).release();
            return !((List<?>) servers.get(1).command("KEYS", "*other*")).isEmpty();
        });
        eventually().until(() -> reachesAll(here));

        proxies.get(2).stick(TcpProxy.Direction.TO_CLIENT);
        CompletableFuture<LockOutcome> later = here.locks().acquireAsync(fixed(LONG));
        // By then the others have been asked for the lock, and to agree to a number.
        eventually().until(() -> !here.executor().nodes().get(2).reachable());
        proxies.get(2).flow();

        assertThat(later).succeedsWithin(LONG);
        Lease lease = ((LockOutcome.Acquired) later.join()).lease();
        assertThat(lease.fencingToken()).isGreaterThan(earlier);
        assertThat(lease.release()).isEqualTo(ReleaseResult.RELEASED);
    }

    /** As if its clock were an hour ahead. */
    private void setNumberAhead(RedisProcess server) {
        String key = "distribution-lock:{" + name + "}:fence";
        // Two nodes are enough for a lock; this may be the one that is asked yet.
        eventually().until(() -> server.command("GET", key) != null);
        long far = Long.parseLong(String.valueOf(server.command("GET", key)).split(" ")[0]) + 3_600_000_000L;
        server.command("SET", key, String.valueOf(far));
    }

    private static boolean reachesAll(QuorumInstance instance) {
        return instance.executor().nodes().stream().allMatch(QuorumNodeState::reachable);
    }

    private long token(QuorumInstance instance) {
        Lease lease = acquire(instance, name, fixed(LONG));
        long token = lease.fencingToken();
        lease.close();
        return token;
    }

    /** What the delay is for: two of three answers come from a node that has forgotten, and one that was never told. */
    @Tag("long")
    @Test
    void withoutTheDelayANodeThatComesBackEmptyLetsAnotherIn() {
        Lease[] both = afterANodeCameBackEmpty(Duration.ZERO, Duration.ofSeconds(30));
        assertThat(both[1]).as("the second holder").isNotNull();
        assertThat(both[0].isValid()).isTrue();
        assertThat(both[1].isValid()).isTrue();
        both[0].release();
        both[1].release();
    }

    @Tag("long")
    @Test
    void withTheDelayANodeThatComesBackEmptyLetsNobodyIn() {
        Duration delay = Duration.ofSeconds(9);
        Lease[] both = afterANodeCameBackEmpty(delay, Duration.ofSeconds(8));
        assertThat(both[1]).as("a second holder").isNull();
        // It counts again when every lease from before its restart has ended.
        QuorumInstance there = instances.get(1);
        eventually()
                .until(() -> there.locks().attempt(fixed(LONG)) instanceof LockOutcome.Acquired acquired
                        && acquired.lease().release() == ReleaseResult.RELEASED);
        assertThat(both[0].isValid()).isFalse();
    }

    /** The first holder has two nodes of three; one of these is started again, and another process tries. */
    private Lease[] afterANodeCameBackEmpty(Duration restartDelay, Duration lease) {
        startServers(3);
        startProxies();
        List<Integer> ports = List.of(
                proxies.get(0).port(), proxies.get(1).port(), proxies.get(2).port());
        QuorumInstance here = newInstance(restartDelay, ports).warmedUp();
        QuorumInstance there = newInstance(restartDelay, ports()).warmedUp();
        proxies.get(2).refuse(true);
        proxies.get(2).cut();
        Lease first = acquire(here, name, fixed(lease));
        // Otherwise it learns of the loss by its reconnect, and gives the lock up before another comes.
        proxies.get(1).refuse(true);
        servers.get(1).kill();
        servers.get(1).startAgain();
        Lease second = null;
        boolean keptOut = false;
        while (second == null && first.isValid()) {
            // Some may find too few nodes that answer: one of them is just coming back.
            LockOutcome outcome = there.locks().attempt(once());
            keptOut |= outcome instanceof LockOutcome.Busy;
            second = outcome instanceof LockOutcome.Acquired acquired ? acquired.lease() : null;
        }
        assertThat(second != null || keptOut).as("there was an answer").isTrue();
        if (second != null && !first.isValid()) {
            // It came after the first, rightly.
            second.release();
            second = null;
        }
        proxies.get(1).refuse(false);
        proxies.get(2).refuse(false);
        return new Lease[] {first, second};
    }

    /** Another process had the third for a moment. The lease is renewed only after 20 s. */
    @Test
    void aHolderSoonHasTheNodesThatOthersHadWhenItGotTheLock() {
        startServers(3);
        QuorumInstance here = newInstance(Duration.ZERO, ports()).warmedUp();
        QuorumInstance there = newInstance(Duration.ZERO, ports()).warmedUp();
        RedisProcess third = servers.get(2);
        String key = "distribution-lock:{" + name + "}";
        third.command("SET", key, "another:1-1", "PX", "30");
        Lease lease = acquire(here, name, renewed(LONG));
        long start = System.nanoTime();
        eventually().until(() -> !List.of("null", "another:1-1").contains(String.valueOf(third.command("GET", key))));
        assertThat(since(start)).as("before its first renewal").isLessThan(LONG.dividedBy(3));
        servers.get(0).command("FLUSHALL");
        assertThat(there.locks().attempt(once())).isInstanceOf(LockOutcome.Busy.class);
        assertThat(lease.release()).isEqualTo(ReleaseResult.RELEASED);
    }

    @Test
    void aHoldOutlivesThatAllNodesComeBackEmptyOneAfterTheOther() {
        whileAllNodesComeBackEmpty(Duration.ZERO, Duration.ofSeconds(3));
    }

    @Tag("long")
    @Test
    void aHoldOutlivesThatAllNodesComeBackEmptyAndCountAgainAfterTheDelay() {
        whileAllNodesComeBackEmpty(Duration.ofSeconds(6), Duration.ofSeconds(5));
    }

    /** One process holds the lock throughout, another one tries to get it all the time. */
    private void whileAllNodesComeBackEmpty(Duration restartDelay, Duration lease) {
        startServers(3);
        QuorumInstance here = newInstance(restartDelay, ports()).warmedUp();
        QuorumInstance there = newInstance(restartDelay, ports()).warmedUp();
        Lease held = acquire(here, name, renewed(lease));
        AtomicBoolean ended = new AtomicBoolean();
        CompletableFuture<Integer> intruders = CompletableFuture.supplyAsync(() -> {
            int count = 0;
            while (!ended.get()) {
                if (there.locks().attempt(once()) instanceof LockOutcome.Acquired acquired) {
                    count += held.isValid() ? 1 : 0;
                    acquired.lease().release();
                }
                LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
            }
            return count;
        });
        try {
            for (RedisProcess server : servers) {
                server.kill();
                server.startAgain();
                awaitHealed(server, here, restartDelay);
                assertThat(held.isValid()).as("after " + server).isTrue();
            }
        } finally {
            ended.set(true);
        }
        assertThat(intruders).succeedsWithin(SOON).isEqualTo(0);
        assertThat(held.confirm()).isTrue();
        assertThat(held.release()).isEqualTo(ReleaseResult.RELEASED);
        Lease next = acquire(there, name, fixed(LONG));
        assertThat(next.fencingToken()).isGreaterThan(held.fencingToken());
        assertThat(next.release()).isEqualTo(ReleaseResult.RELEASED);
    }

    /** The first renewal after the delay makes it count, and a later one shows that. */
    private void awaitHealed(RedisProcess server, QuorumInstance holder, Duration restartDelay) {
        eventually().until(() -> uptimeSeconds(server) > restartDelay.toSeconds());
        for (int renewal = 0; renewal < 3; renewal++) {
            AtomicLong least = new AtomicLong(Long.MAX_VALUE);
            eventually().until(() -> {
                long left = leaseLeft(server, holder);
                return left > least.getAndUpdate(earlier -> Math.min(earlier, left));
            });
        }
    }

    /** In ms; less than nothing if the process does not have the lock there. */
    private long leaseLeft(RedisProcess server, QuorumInstance holder) {
        String key = "distribution-lock:{" + name + "}";
        List<?> owner = (List<?>) server.command(
                "EVAL", "return {redis.call('GET', KEYS[1]) or '', redis.call('PTTL', KEYS[1])}", "1", key);
        boolean isHolder = String.valueOf(owner.get(0))
                .startsWith(holder.executor().snapshot().instance());
        return isHolder ? (long) owner.get(1) : Long.MIN_VALUE;
    }

    private static long uptimeSeconds(RedisProcess server) {
        return Stream.of(String.valueOf(server.command("INFO", "server")).split("\\R"))
                .filter(line -> line.startsWith("uptime_in_seconds:"))
                .mapToLong(line -> Long.parseLong(line.substring(line.indexOf(':') + 1)))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void twoProcessesHoldOneAfterTheOtherWhileANodeDies() {
        startServers(3);
        QuorumInstance here = newInstance(Duration.ZERO, ports()).warmedUp();
        int count = 60;
        String list = ports().stream().map(String::valueOf).collect(Collectors.joining(","));
        List<Turn> turns = new ArrayList<>();
        try (ChildProcess child = ChildProcess.start(QuorumProcess.class, list, name, String.valueOf(count))) {
            child.await("ready", LONG);
            child.send("go");
            turns.addAll(QuorumProcess.turns(here, name, count / 2, "here"));
            servers.get(0).kill();
            turns.addAll(QuorumProcess.turns(here, name, count / 2, "here"));
            for (int i = 0; i < count; i++) {
                turns.add(Turn.parse(child.await("turn ", LONG).substring("turn ".length())));
            }
        }
        assertThat(turns).hasSize(2 * count);
        assertThat(HistoryChecker.violationsOf(turns)).isEmpty();
    }

    // ------------------------------------------------------------------

    private void startServers(int count) {
        for (int i = 0; i < count; i++) {
            servers.add(RedisProcess.start());
        }
    }

    private void startProxies() {
        servers.forEach(server -> proxies.add(new TcpProxy(server.port())));
    }

    private List<Integer> ports() {
        return servers.stream().map(RedisProcess::port).toList();
    }

    private List<Integer> proxyPorts() {
        return proxies.stream().map(TcpProxy::port).toList();
    }

    private QuorumInstance newInstance(Duration restartDelay, List<Integer> ports) {
        return newInstance(QuorumMode.MAJORITY, restartDelay, ports);
    }

    private QuorumInstance newInstance(QuorumMode mode, Duration restartDelay, List<Integer> ports) {
        QuorumInstance instance = new QuorumInstance(mode, restartDelay, ports);
        instances.add(instance);
        return instance;
    }

    private static Lease acquire(QuorumInstance instance, String lock, LockRequest request) {
        LockRequest.Builder named = LockRequest.named(lock).tryLockTime(request.tryLockTime());
        if (request.renewed()) {
            named.renewedLease(request.leaseTime());
        } else {
            named.holdLockTime(request.leaseTime());
        }
        return instance.locks().acquire(named.build());
    }

    private LockRequest once() {
        return LockRequest.named(name)
                .tryLockTime(Duration.ZERO)
                .holdLockTime(Duration.ofSeconds(5))
                .build();
    }

    private LockRequest fixed(Duration hold) {
        return LockRequest.named(name).tryLockTime(LONG).holdLockTime(hold).build();
    }

    private LockRequest renewed(Duration lease) {
        return LockRequest.named(name).tryLockTime(LONG).renewedLease(lease).build();
    }
}
