package io.distributionlock.test.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** The additional threads of one test, of the same kind as the thread that starts them. */
final class Crew implements AutoCloseable {

    private final List<Member<?>> members = new CopyOnWriteArrayList<>();

    <T> Member<T> start(Callable<T> work) {
        CompletableFuture<T> result = new CompletableFuture<>();
        Thread thread = ThreadKind.ofCurrentThread().factory().newThread(() -> {
            try {
                result.complete(work.call());
            } catch (Throwable e) {
                result.completeExceptionally(e);
            }
        });
        Member<T> member = new Member<>(thread, result);
        members.add(member);
        thread.start();
        return member;
    }

    /** Runs the work on an additional thread and waits for its result. */
    <T> T call(Callable<T> work) throws Exception {
        return start(work).result();
    }

    /** Waits until all of them have ended well. */
    void join() throws Exception {
        for (Member<?> member : members) {
            member.result();
        }
    }

    /** Interrupts the threads that still run and waits until they have ended. */
    @Override
    public void close() {
        members.forEach(Member::interrupt);
        for (Member<?> member : members) {
            assertThat(member.future().handle((result, failure) -> true))
                    .as("a thread of the test has ended")
                    .succeedsWithin(ContractSuite.SOON);
        }
    }

    /** One additional thread and its result. */
    record Member<T>(Thread thread, CompletableFuture<T> future) {

        T result() throws Exception {
            try {
                return future.get(ContractSuite.MAX_TEST_TIME.toSeconds(), TimeUnit.SECONDS);
            } catch (ExecutionException e) {
                if (e.getCause() instanceof Exception exception) {
                    throw exception;
                }
                throw new AssertionError(e.getCause());
            } catch (TimeoutException e) {
                throw new AssertionError("A thread of the test did not end.", e);
            }
        }

        boolean isDone() {
            return future.isDone();
        }

        void interrupt() {
            thread.interrupt();
        }

        /** Returns when the thread is blocked; in these tests, it then waits for the lock. */
        void awaitBlocked() {
            ContractSuite.awaitUntil(() -> {
                Thread.State state = thread.getState();
                return state == Thread.State.WAITING || state == Thread.State.TIMED_WAITING;
            });
        }
    }
}
