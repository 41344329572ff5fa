package io.distributionlock.faults;

import io.distributionlock.DelegatingLockExecutor;
import io.distributionlock.LockKind;
import io.distributionlock.LockNotAcquiredException;
import io.distributionlock.LockOutcome;
import io.distributionlock.LockOwner;
import io.distributionlock.LockRequest;
import io.distributionlock.LockTemplate;
import io.distributionlock.engine.ActiveNames;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/**
 * The program of a second process in the fault tests: takes and releases locks as it is told. {@link RemoteInstance} is its
 * remote control; the first word of a line is the command.
 */
final class LockProcess {

    private final ParentLink parent = new ParentLink();
    private final Instance instance;
    private final Map<String, ObservedLease> leases = new ConcurrentHashMap<>();
    private final List<Thread> attempts = new ArrayList<>();
    private final CountDownLatch goOn = new CountDownLatch(1);

    private LockProcess(int port) {
        this.instance = new Instance(port);
    }

    public static void main(String[] arguments) {
        LockProcess process = new LockProcess(Integer.parseInt(arguments[0]));
        process.parent.say("ready");
        process.parent.listen(process::obey);
    }

    private void obey(String line) {
        String[] words = line.split(" ");
        switch (words[0]) {
            case "acquire" -> start(() -> acquire(words[1], requestOf(words)));
            case "valid" ->
                parent.say("valid " + words[1] + " " + leaseOf(words[1]).isValid());
            case "release" -> start(() -> release(words[1]));
            case "execute" -> start(() -> execute(words[1], requestOf(words)));
            case "go" -> goOn.countDown();
            case "waiting" -> parent.say("waiting " + waiting());
            case "active" -> parent.say("active " + ActiveNames.of(instance.executor()));
            case "stop" -> {
                instance.executor().stop(Duration.ofMillis(Long.parseLong(words[1])));
                parent.say("stopped " + ActiveNames.of(instance.executor()));
            }
            default -> throw new IllegalArgumentException(line);
        }
    }

    /** Words 2 to 6: name, longest wait in ms, fixed or renewed, lease in ms, kind. */
    static LockRequest requestOf(String[] words) {
        LockRequest.Builder request = LockRequest.named(words[2])
                .kind(LockKind.valueOf(words[6]))
                .tryLockTime(Duration.ofMillis(millis(words[3])));
        Duration lease = Duration.ofMillis(millis(words[5]));
        return (words[4].equals("fixed") ? request.holdLockTime(lease) : request.renewedLease(lease)).build();
    }

    private static long millis(String word) {
        return Long.parseLong(word);
    }

    private void start(Runnable work) {
        Thread thread = new Thread(work);
        thread.setDaemon(true);
        attempts.add(thread);
        thread.start();
    }

    private void acquire(String id, LockRequest request) {
        ObservedLease lease = tryAcquire(id, request);
        if (lease != null) {
            leases.put(id, lease);
            lease.lease().onLost(lost -> parent.say("lost " + id + " " + lost.lossReason()));
            parent.say("acquired " + id + " " + lease.turn().toLine());
        }
    }

    private @Nullable ObservedLease tryAcquire(String who, LockRequest request) {
        long calledAt = System.nanoTime();
        LockOutcome outcome = instance.locks().attempt(request);
        if (outcome instanceof LockOutcome.Acquired acquired) {
            return new ObservedLease(acquired.lease(), who, calledAt);
        }
        parent.say("missed " + who + " " + ((LockOutcome.NotAcquired) outcome).reason());
        return null;
    }

    /** Between the acquisition and the work it waits until it is told to go on: time for the parent to pause it there. */
    private void execute(String id, LockRequest request) {
        LockTemplate locks = LockTemplate.builder(instance.executor())
                .decorate(executor -> new DelegatingLockExecutor(executor) {
                    @Override
                    public CompletableFuture<LockOutcome> acquire(LockRequest wanted, LockOwner owner) {
                        return super.acquire(wanted, owner).thenApplyAsync(outcome -> {
                            parent.say("granted " + id);
                            await(goOn);
                            return outcome;
                        });
                    }
                })
                .build();
        try {
            locks.execute(request, () -> {
                parent.say("worked " + id);
                return "";
            });
        } catch (LockNotAcquiredException e) {
            parent.say("missed " + id + " " + e.reason());
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private void release(String id) {
        ObservedLease lease = leaseOf(id);
        lease.release();
        parent.say("released " + id + " " + lease.turn().toLine());
    }

    private ObservedLease leaseOf(String id) {
        return Objects.requireNonNull(leases.get(id), id);
    }

    /** How many of the attempts that were started wait for their lock. */
    private long waiting() {
        return attempts.stream()
                .map(Thread::getState)
                .filter(state -> state == Thread.State.WAITING || state == Thread.State.TIMED_WAITING)
                .count();
    }
}
