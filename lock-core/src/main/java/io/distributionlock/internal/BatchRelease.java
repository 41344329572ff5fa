package io.distributionlock.internal;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Releases several leases together: sends all releases, in reverse order, before it waits for any answer.
 *
 * @param <L> a lease
 * @param <R> how a release ended
 * @hidden
 */
@Internal
public final class BatchRelease<L, R> {

    private final List<L> leases;
    private final List<CompletableFuture<R>> answers;
    private final R unknown;

    private BatchRelease(List<L> leases, List<CompletableFuture<R>> answers, R unknown) {
        this.leases = leases;
        this.answers = answers;
        this.unknown = unknown;
    }

    /** Receives the result of each release, in the order in which they were sent. */
    public interface Report<L, R> {

        void released(L lease, R result);

        /** The lease broke the rule that a release never throws. */
        void failed(L lease, RuntimeException failure);
    }

    /**
     * Sends the releases, together where the executor can.
     *
     * @param unknown the result of a release that nothing could wait for
     */
    public static <L, R> BatchRelease<L, R> of(
            List<? extends L> leases, Function<L, CompletableFuture<R>> release, R unknown) {
        List<L> reversed = new ArrayList<>(leases);
        Collections.reverse(reversed);
        List<CompletableFuture<R>> answers = new ArrayList<>(reversed.size());
        Pipeline.ofEach(
                reversed, lease -> answers.add(Failures.caught(() -> OffloadedFuture.source(release.apply(lease)))));
        return new BatchRelease<>(reversed, answers, unknown);
    }

    /** Waits for all answers, except on a thread that must not block. */
    public void await(Report<L, R> report) {
        for (CompletableFuture<R> answer : answers) {
            if (!answer.isDone() && !Await.isForbidden()) {
                Await.uninterruptibly(answer.handle((result, failure) -> true));
            }
        }
        report(report);
    }

    /** Reports once the last answer has arrived, on the thread that brings it. */
    public CompletableFuture<Void> whenAnswered(Report<L, R> report) {
        return CompletableFuture.allOf(answers.toArray(CompletableFuture[]::new))
                .handle((unused, failures) -> report(report));
    }

    private @Nullable Void report(Report<L, R> report) {
        for (int i = 0; i < answers.size(); i++) {
            try {
                report.released(leases.get(i), answers.get(i).getNow(unknown));
            } catch (CompletionException e) {
                report.failed(leases.get(i), e.getCause() instanceof RuntimeException own ? own : e);
            }
        }
        return null;
    }
}
