package io.distributionlock.leader;

import io.distributionlock.annotation.InvalidLockDefinitionException;
import io.distributionlock.annotation.LockProblem;
import io.distributionlock.internal.MessageText;
import io.distributionlock.internal.MethodText;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Finds what is wrong with the methods that only the leader runs, and with the names of the elections. */
final class LeaderOnlyCheck {

    private final LeaderOnlyInterceptor interceptor;
    private final List<LockProblem> problems = new ArrayList<>();

    LeaderOnlyCheck(LeaderOnlyInterceptor interceptor) {
        this.interceptor = interceptor;
    }

    List<LockProblem> problems() {
        return problems;
    }

    void names() {
        Map<String, String> beans = new TreeMap<>();
        interceptor.elections().forEach((bean, election) -> {
            String other = beans.putIfAbsent(election.name(), bean);
            if (other != null) {
                problems.add(new LockProblem(
                        "The beans '" + MessageText.of(other) + "' and '" + MessageText.of(bean)
                                + "' both stand in the election '" + MessageText.of(election.name())
                                + "', so @LeaderOnly may ask the one that does not lead.",
                        "Remove one of them, or the name from distribution-lock.leader.elections."));
            }
        });
    }

    void method(Method method) {
        String place = "@LeaderOnly on " + MethodText.of(method);
        if ((method.getModifiers() & (Modifier.PRIVATE | Modifier.STATIC | Modifier.FINAL)) != 0) {
            problems.add(new LockProblem(
                    place + " has no effect, because no proxy overrides a private, static or final method.",
                    "Make it a public method that is neither static nor final."));
        }
        if (method.getReturnType() != void.class) {
            problems.add(new LockProblem(
                    place + " returns a value, which the instances that skip it do not have.",
                    "Return void, or ask LeaderElection.isLeader() instead."));
        }
        try {
            interceptor.electionOf(method);
        } catch (InvalidLockDefinitionException noElection) {
            problems.addAll(noElection.problems());
        }
    }
}
