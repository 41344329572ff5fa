package io.distributionlock.autoconfigure.health;

import io.distributionlock.internal.Await;
import io.distributionlock.leader.LeaderElection;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.springframework.beans.factory.ListableBeanFactory;

/** The details of the health of elections, without the types of Spring Boot, which have moved between its versions. */
final class LeaderHealth {

    /** The name of the contributor, which is part of its switch {@code management.health.leader-election.enabled}. */
    static final String NAME = "leader-election";

    static final String BEAN = "leaderElectionHealthContributor";

    private LeaderHealth() {}

    /** The elections of the application by name, some of which may share a name. */
    static Map<String, LeaderElection> elections(ListableBeanFactory beanFactory) {
        return beanFactory.getBeansOfType(LeaderElection.class).values().stream()
                .collect(Collectors.toMap(LeaderElection::name, Function.identity(), (first, second) -> first));
    }

    /** @param patience how long to wait for the answer of the backend */
    static Map<String, Object> details(LeaderElection election, Duration patience) {
        Map<String, Object> details = new LinkedHashMap<>();
        details.put("leads", election.isLeader());
        try {
            details.put("leader", Await.atMost(patience, election.leader()).orElse("none"));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (TimeoutException e) {
            details.put("leaderUnknown", "The backend has not answered.");
        } catch (ExecutionException e) {
            details.put("leaderUnknown", String.valueOf(e.getCause()));
        }
        return details;
    }
}
