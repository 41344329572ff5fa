package io.distributionlock.faults;

import io.distributionlock.Lease.LossReason;
import io.distributionlock.LockRequest;
import io.distributionlock.ReleaseResult;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/** A second process that takes and releases locks ({@link LockProcess}), by remote control. */
final class RemoteInstance implements AutoCloseable {

    private static final Duration MAX_WAIT = Duration.ofSeconds(60);

    private final ChildProcess process;
    private final Map<String, Turn> turns = new HashMap<>();

    /** Starts it. @param port of Redis, or of a proxy before it */
    RemoteInstance(int port) {
        this.process = ChildProcess.start(LockProcess.class, String.valueOf(port));
        process.await("ready", MAX_WAIT);
    }

    /** Starts an attempt on a thread of its own. */
    void start(String id, LockRequest request) {
        process.send("acquire " + id + " " + words(request));
    }

    private static String words(LockRequest request) {
        return request.name() + " " + request.tryLockTime().toMillis() + " " + (request.renewed() ? "renewed" : "fixed")
                + " " + request.leaseTime().toMillis() + " " + request.kind();
    }

    /** Waits until a started attempt has got its lock. */
    Turn awaitAcquired(String id) {
        return read("acquired " + id + " ", id);
    }

    Turn acquire(String id, LockRequest request) {
        start(id, request);
        return awaitAcquired(id);
    }

    /** Waits until a started attempt has ended without a lock, and returns why. */
    String awaitMissed(String id) {
        return rest("missed " + id + " ");
    }

    /** Starts locked work, and waits until its lock is granted. The work begins when it is told to. */
    void prepareWork(String id, LockRequest request) {
        process.send("execute " + id + " " + words(request));
        process.await("granted " + id, MAX_WAIT);
    }

    /** Tells prepared work to begin. */
    void goOn() {
        process.send("go");
    }

    boolean isValid(String id) {
        process.send("valid " + id);
        return Boolean.parseBoolean(rest("valid " + id + " "));
    }

    /** Waits until the listener of a lease was told of its loss, and returns why it was lost. */
    LossReason awaitLost(String id) {
        return LossReason.valueOf(rest("lost " + id + " "));
    }

    ReleaseResult release(String id) {
        process.send("release " + id);
        return Objects.requireNonNull(read("released " + id + " ", id).released());
    }

    private Turn read(String start, String id) {
        Turn turn = Turn.parse(rest(start));
        turns.put(id, turn);
        return turn;
    }

    private String rest(String start) {
        return process.await(start, MAX_WAIT).substring(start.length());
    }

    /** How many of the attempts that were started wait for their lock. */
    int waiting() {
        process.send("waiting");
        return Integer.parseInt(rest("waiting "));
    }

    int activeNames() {
        process.send("active");
        return Integer.parseInt(rest("active "));
    }

    boolean isAlive() {
        return process.isAlive();
    }

    void kill() {
        process.kill();
    }

    void pause() {
        process.pause();
    }

    void resume() {
        process.resume();
    }

    /** Lets it end its locks in an orderly way; returns how many names it still holds or waits for. */
    int stop() {
        process.send("stop 0");
        return Integer.parseInt(rest("stopped "));
    }

    /** What its threads saw of their leases. */
    Collection<Turn> turns() {
        return turns.values();
    }

    @Override
    public void close() {
        process.close();
    }
}
