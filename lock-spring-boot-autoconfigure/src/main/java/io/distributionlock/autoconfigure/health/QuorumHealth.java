package io.distributionlock.autoconfigure.health;

import io.distributionlock.autoconfigure.LockProperties;
import io.distributionlock.internal.Await;
import io.distributionlock.quorum.QuorumLockExecutor;
import io.distributionlock.quorum.QuorumNodeState;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.core.NestedExceptionUtils;

/**
 * The health of a quorum executor, without the types of Spring Boot, which have moved between its versions.
 *
 * @param up whether enough of its nodes answer
 * @param details the state of each node, named by host and port, without a password
 */
record QuorumHealth(boolean up, Map<String, Object> details) {

    /** By the names of the executors. Each is looked up when it is asked, so that no executor is created for its health. */
    static Map<String, Supplier<QuorumHealth>> ofAll(ListableBeanFactory beanFactory, LockProperties properties) {
        Duration patience = properties.redis().commandTimeout();
        Map<String, Supplier<QuorumHealth>> quorums = new LinkedHashMap<>();
        for (String name : beanFactory.getBeanNamesForType(QuorumLockExecutor.class, true, false)) {
            quorums.put(name, () -> of(beanFactory.getBean(name, QuorumLockExecutor.class), patience));
        }
        return quorums;
    }

    /**
     * Asks the nodes.
     *
     * @param patience how long to wait at most; then the last known state is reported
     */
    private static QuorumHealth of(QuorumLockExecutor executor, Duration patience) {
        List<QuorumNodeState> states = ask(executor, patience);
        Map<String, Object> nodes = new LinkedHashMap<>();
        states.forEach(state -> nodes.put(state.label(), describe(state)));
        long answering = states.stream().filter(QuorumNodeState::reachable).count();
        Map<String, Object> details = new LinkedHashMap<>();
        details.put("needed", executor.nodesNeeded());
        details.put("answering", answering);
        details.put("nodes", nodes);
        return new QuorumHealth(answering >= executor.nodesNeeded(), details);
    }

    private static List<QuorumNodeState> ask(QuorumLockExecutor executor, Duration patience) {
        try {
            return Await.atMost(patience, executor.checkNodes());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException e) {
            // The last known state says why.
        }
        return executor.nodes();
    }

    private static Map<String, Object> describe(QuorumNodeState state) {
        Map<String, Object> description = new LinkedHashMap<>();
        description.put("status", state.reachable() ? "UP" : "DOWN");
        if (!state.reachable()) {
            Duration silence = state.sinceAnswer();
            if (silence != null) {
                description.put("silentForMillis", silence.toMillis());
            }
            Throwable failure = state.failure();
            if (failure != null) {
                description.put(
                        "error",
                        NestedExceptionUtils.getMostSpecificCause(failure).toString());
            }
        }
        return description;
    }
}
