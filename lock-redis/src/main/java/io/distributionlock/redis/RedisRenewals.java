package io.distributionlock.redis;

import io.distributionlock.backend.CommandPort.Renewal;
import io.distributionlock.backend.RenewReply;
import io.distributionlock.internal.Pipeline;
import io.distributionlock.redis.LockCall.ScriptCall;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.ToIntFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Renews leases by as few scripts as possible: one for up to a hundred exclusive claims, in a Cluster those of a slot, and one for each
 * reader. All are sent together.
 *
 * <p>While a slot moves, Redis refuses a script whose keys are on both sides. Then each claim gets a script of its own.
 */
final class RedisRenewals {

    private final ScriptCalls calls;
    private final ScriptSender sender;
    private final @Nullable ReplicatedScriptSender replicated;
    private final ScheduledExecutorService timer;
    private final ToIntFunction<String> groups;

    /**
     * @param replicated for writes that count only once replicas have them; {@code null} if none have to
     * @param timer delays what Redis has refused for the moment
     * @param groups the group of a name: a script may use the keys of names of the same group
     */
    RedisRenewals(
            ScriptCalls calls,
            ScriptSender sender,
            @Nullable ReplicatedScriptSender replicated,
            ScheduledExecutorService timer,
            ToIntFunction<String> groups) {
        this.calls = calls;
        this.sender = sender;
        this.replicated = replicated;
        this.timer = timer;
        this.groups = groups;
    }

    /** The answers are in the order of the renewals. */
    List<CompletableFuture<RenewReply>> send(List<Renewal> renewals) {
        List<CompletableFuture<RenewReply>> answers = new ArrayList<>(renewals.size());
        List<Run> runs = new ArrayList<>();
        Map<Integer, Run> filling = new HashMap<>();
        for (Renewal renewal : renewals) {
            CompletableFuture<RenewReply> answer = new CompletableFuture<>();
            answers.add(answer);
            if (renewal.reads()) {
                runs.add(new Run(true, renewal, answer));
                continue;
            }
            int group = groups.applyAsInt(renewal.name());
            Run run = filling.get(group);
            if (run == null || run.renewals.size() == LockScript.CLAIMS_OF_A_RUN) {
                Run next = new Run(false, renewal, answer);
                filling.put(group, next);
                runs.add(next);
            } else {
                run.add(renewal, answer);
            }
        }
        send(runs);
        return answers;
    }

    private void send(Collection<Run> runs) {
        Pipeline.ofEach(runs, Run::send);
    }

    /** One run of a script, and who waits for its answer. */
    private final class Run {

        private final boolean reads;
        private final List<Renewal> renewals = new ArrayList<>(1);
        private final List<CompletableFuture<RenewReply>> answers = new ArrayList<>(1);

        Run(boolean reads, Renewal first, CompletableFuture<RenewReply> answer) {
            this.reads = reads;
            add(first, answer);
        }

        void add(Renewal renewal, CompletableFuture<RenewReply> answer) {
            renewals.add(renewal);
            answers.add(answer);
        }

        List<Run> oneByOne() {
            return IntStream.range(0, renewals.size())
                    .mapToObj(i -> new Run(reads, renewals.get(i), answers.get(i)))
                    .toList();
        }

        void send() {
            ScriptCall<List<RenewReply>> script = reads ? calls.renewReader(renewals.get(0)) : calls.renew(renewals);
            CompletableFuture<List<RenewReply>> first = send(script);
            CompletableFuture<List<RenewReply>> call = FollowedCall.of(
                    first,
                    (replies, failure) ->
                            areApart(failure) ? first : RetryingCall.of(first, () -> send(script), timer));
            call.whenComplete((replies, failure) -> {
                if (areApart(failure)) {
                    RedisRenewals.this.send(oneByOne());
                } else {
                    answered(replies, failure);
                }
            });
            // It need not be sent any more once nobody waits for any of its answers.
            CompletableFuture.allOf(answers.toArray(CompletableFuture[]::new))
                    .whenComplete((all, over) -> call.cancel(false));
        }

        private boolean areApart(@Nullable Throwable failure) {
            return renewals.size() > 1 && RetryableErrors.saysKeysAreApart(failure);
        }

        private CompletableFuture<List<RenewReply>> send(ScriptCall<List<RenewReply>> script) {
            // A renewal of zero only asks, and writes nothing that a replica must have.
            return replicated == null || renewals.stream().allMatch(renewal -> renewal.leaseMillis() == 0)
                    ? sender.send(script)
                    : replicated.send(script, replies -> replies.stream().anyMatch(RenewReply::held));
        }

        private void answered(@Nullable List<RenewReply> replies, @Nullable Throwable failure) {
            if (replies == null || replies.size() != renewals.size()) {
                Throwable cause = failure == null ? ScriptAnswers.unexpected(String.valueOf(replies)) : failure;
                answers.forEach(answer -> answer.completeExceptionally(cause));
                return;
            }
            for (int i = 0; i < replies.size(); i++) {
                answers.get(i).complete(replies.get(i));
            }
        }
    }
}
