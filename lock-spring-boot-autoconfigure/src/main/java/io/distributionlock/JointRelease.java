package io.distributionlock;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/** Releases several leases together: sends all releases, in reverse order, before it waits for any answer. */
final class JointRelease {

    private final List<Lease> leases;
    private final List<CompletableFuture<ReleaseResult>> answers;

    private JointRelease(List<Lease> leases, List<CompletableFuture<ReleaseResult>> answers) {
        this.leases = leases;
        this.answers = answers;
    }

    /** Receives the result of each release, in the order in which they were sent. */
    interface Report {

        void released(Lease lease, ReleaseResult result);

        /** The lease broke the rule that a release never throws. */
        void failed(Lease lease, RuntimeException failure);
    }

    /** Sends the releases. */
    static JointRelease of(List<Lease> leases) {
        List<Lease> reversed = new ArrayList<>(leases);
        Collections.reverse(reversed);
        List<CompletableFuture<ReleaseResult>> answers = new ArrayList<>(reversed.size());
        for (Lease lease : reversed) {
            answers.add(sent(lease));
        }
        return new JointRelease(reversed, answers);
    }

    private static CompletableFuture<ReleaseResult> sent(Lease lease) {
        try {
            return HandedOver.source(lease.releaseAsync());
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    /** Waits for all answers, except on a thread that must not block. */
    void await(Report report) {
        for (CompletableFuture<ReleaseResult> answer : answers) {
            if (!answer.isDone() && !Await.isForbidden()) {
                Await.uninterruptibly(answer.handle((result, failure) -> true));
            }
        }
        report(report);
    }

    /** Reports once the last answer has arrived, on the thread that brings it. */
    CompletableFuture<Void> whenAnswered(Report report) {
        return CompletableFuture.allOf(answers.toArray(CompletableFuture[]::new))
                .handle((unused, failures) -> report(report));
    }

    private @Nullable Void report(Report report) {
        for (int i = 0; i < answers.size(); i++) {
            try {
                report.released(leases.get(i), now(answers.get(i)));
            } catch (CompletionException e) {
                report.failed(leases.get(i), e.getCause() instanceof RuntimeException own ? own : e);
            }
        }
        return null;
    }

    private static ReleaseResult now(CompletableFuture<ReleaseResult> answer) {
        return answer.getNow(ReleaseResult.UNCONFIRMED);
    }
}
