package io.distributionlock.validation;

import io.distributionlock.LockRequest;
import io.distributionlock.annotation.LockProblem;
import io.distributionlock.interceptor.LockMetadata;
import io.distributionlock.interceptor.LockOperation;
import io.distributionlock.interceptor.LockOverrides;
import io.distributionlock.internal.UnfitValueException;
import io.distributionlock.key.LockDeclaration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Checks at start-up that the configured times of locks fit the annotations. */
final class OverrideChecks {

    private static final String PROPERTY = "distribution-lock.locks.";

    private final LockOverrides overrides;
    private final Set<String> keys = new LinkedHashSet<>();

    OverrideChecks(LockOverrides overrides) {
        this.overrides = overrides;
    }

    /** Checks that the times of a method's locks fit each other with the configured ones, and remembers their keys. */
    List<LockProblem> check(LockMetadata method) {
        List<LockProblem> problems = new ArrayList<>();
        for (LockOperation lock : method.locks()) {
            LockDeclaration declaration = lock.declaration();
            String key = declaration.annotation().key();
            keys.add(key);
            if (!method.problems().isEmpty() || overrides.of(lock) == null) {
                continue;
            }
            try {
                lock.request(LockRequest.named("check"), overrides);
            } catch (UnfitValueException e) {
                problems.add(new LockProblem(
                        "The properties " + PROPERTY + bracketed(key) + ".* do not fit " + declaration + ": "
                                + e.problem(name -> name),
                        e.action(name -> name) + " Correct these properties; they win over the annotation."));
            }
        }
        return problems;
    }

    /** Warnings about configured keys that no annotation has. */
    List<String> unknownKeys() {
        List<String> warnings = new ArrayList<>();
        for (String key : new TreeSet<>(overrides.byKey().keySet())) {
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
