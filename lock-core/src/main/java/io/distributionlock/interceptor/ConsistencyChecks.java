package io.distributionlock.interceptor;

import io.distributionlock.LockRequest;
import io.distributionlock.annotation.LockProblem;
import io.distributionlock.internal.MessageText;
import io.distributionlock.internal.UnfitValueException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Checks at start-up what an annotation alone does not show: that the times configured for its key fit it, and that all declarations of a
 * name agree on whether it is a lock or has so many permits.
 */
final class ConsistencyChecks {

    private static final String PROPERTY = "distribution-lock.locks.";

    private final LockOverrides overrides;
    private final Set<String> keys = new LinkedHashSet<>();

    /** The first declaration of each template that asks for a lock, and the first that asks for permits. */
    private final Map<String, LockOperation> exclusive = new HashMap<>();

    private final Map<String, LockOperation> permits = new HashMap<>();

    ConsistencyChecks(LockOverrides overrides) {
        this.overrides = overrides;
    }

    /**
     * Checks the method's locks, also against those of the methods before.
     *
     * @param sound whether nothing else is wrong with the method
     */
    List<LockProblem> check(LockMetadata method, boolean sound) {
        List<LockProblem> problems = new ArrayList<>();
        for (LockOperation lock : method.locks()) {
            keys.add(lock.key());
            if (method.problems().isEmpty() && overrides.of(lock.key()) != null) {
                checkTimes(lock, problems);
            }
            if (sound) {
                checkPermits(lock, lock.declaration().template() + " in " + method.executor(), problems);
            }
        }
        return problems;
    }

    private void checkTimes(LockOperation lock, List<LockProblem> problems) {
        try {
            lock.request(LockRequest.named("check"), overrides);
        } catch (UnfitValueException e) {
            problems.add(new LockProblem(
                    "The properties " + PROPERTY + bracketed(lock.key()) + ".* do not fit " + lock.declaration() + ": "
                            + e.problem(name -> name),
                    e.action(name -> name) + " Correct these properties; they win over the annotation."));
        }
    }

    private void checkPermits(LockOperation lock, String name, List<LockProblem> problems) {
        (lock.isPermit() ? permits : exclusive).putIfAbsent(name, lock);
        LockOperation permit = permits.get(name);
        LockOperation other = exclusive.get(name);
        String key = "'" + MessageText.of(lock.key()) + "'";
        if (permit != null && other != null) {
            problems.add(new LockProblem(
                    permit.place() + " asks for a permit of " + key + ", and " + other.place()
                            + " asks for it as a lock.",
                    "A name is a lock or has permits, not both: give one of them another key."));
        }
        if (permit != null && lock.isPermit() && permit.permits() != lock.permits()) {
            problems.add(new LockProblem(
                    permit.place() + " has permits = " + permit.permits() + " for " + key + ", and " + lock.place()
                            + " has permits = " + lock.permits() + " for it.",
                    "Give both the same number, such as by one property (permitsString), or another key to one of"
                            + " them."));
        }
    }

    /** Warnings about configured keys that no annotation has. */
    List<String> unknownKeys() {
        List<String> warnings = new ArrayList<>();
        for (String key : new TreeSet<>(overrides.configuredKeys())) {
            if (!isKnown(key)) {
                warnings.add("The properties " + PROPERTY + bracketed(key)
                        + ".* have no effect: no @DistributionLock has the"
                        + " key '" + key + "'. " + known()
                        + " Write a key as in the annotation, in brackets if it has characters other than letters,"
                        + " digits and '-'; in an environment variable, only its letters and digits.");
            }
        }
        return warnings;
    }

    private String known() {
        return keys.isEmpty() ? "No method has a key." : "Keys are: " + String.join(", ", new TreeSet<>(keys)) + ".";
    }

    private boolean isKnown(String key) {
        return keys.stream().anyMatch(declared -> LockOverrides.isFor(key, declared));
    }

    private static String bracketed(String key) {
        return key.matches("[A-Za-z0-9-]+") ? key : "[" + key + "]";
    }
}
