package io.distributionlock.quorum;

import io.distributionlock.internal.Await;
import io.distributionlock.internal.BackendProblemException;
import io.distributionlock.internal.Internal;
import io.distributionlock.redis.RedisLockExecutor;
import io.distributionlock.redis.RedisStartupCheck;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * Checks each node that answers as if it were the only Redis, and then that a quorum grants a lock. Warns of a node that grants none,
 * unless the others are too few.
 *
 * @hidden
 */
@Internal
public final class QuorumStartupCheck {

    private static final Log log = LogFactory.getLog(QuorumStartupCheck.class);

    private final String prefix;
    private final QuorumLockExecutor executor;
    private final String addresses;
    private final Duration answerTimeout;

    /** The parameters are those of {@link RedisStartupCheck}. */
    public QuorumStartupCheck(String prefix, QuorumLockExecutor executor, String addresses, Duration answerTimeout) {
        this.prefix = prefix;
        this.executor = executor;
        this.addresses = addresses;
        this.answerTimeout = answerTimeout;
    }

    /**
     * Blocks for the time that {@link RedisStartupCheck#run} takes for each node that answers and for the quorum.
     *
     * @throws BackendProblemException if locks cannot be acquired; says why, at which nodes, and what to do
     */
    public void run() {
        checkNodes();
        new RedisStartupCheck(prefix, executor, addresses, answerTimeout).run();
    }

    private void checkNodes() {
        List<QuorumNodeState> states = Await.uninterruptibly(executor.checkNodes());
        List<BackendProblemException> problems = new ArrayList<>();
        int granting = 0;
        for (int i = 0; i < states.size(); i++) {
            // The log has already named a silent node.
            if (isSilent(states.get(i))) {
                continue;
            }
            try {
                check(executor.configuredNodes().get(i));
                granting++;
            } catch (BackendProblemException e) {
                problems.add(e);
            }
        }
        if (granting < executor.nodesNeeded() && !problems.isEmpty()) {
            throw new BackendProblemException(
                    joined(problems, BackendProblemException::description),
                    joined(problems, BackendProblemException::action),
                    problems.get(0));
        }
        problems.forEach(problem -> log.warn(problem.getMessage()));
    }

    private static boolean isSilent(QuorumNodeState state) {
        return !state.reachable()
                && QuorumCommandPort.problemIn(state.failure()).isEmpty();
    }

    private void check(QuorumNode node) {
        String nodePrefix = prefix + "Node " + node.label() + " of the quorum: ";
        try (RedisLockExecutor alone = executor.executorOf(node)) {
            new RedisStartupCheck(nodePrefix, alone, addresses, answerTimeout, executor.asksForUptime()).run();
        }
    }

    private static String joined(
            List<BackendProblemException> problems, Function<BackendProblemException, String> part) {
        return problems.stream().map(part).distinct().collect(Collectors.joining(" "));
    }
}
