package io.distributionlock.validation;

import io.distributionlock.annotation.LockProblem;
import io.distributionlock.interceptor.LockMetadata;
import io.distributionlock.interceptor.LockOperation;
import io.distributionlock.internal.MessageText;
import io.distributionlock.key.AttributeNames;
import io.distributionlock.key.LockDeclaration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Checks at start-up that all declarations of a name agree: it is a lock, or it has so many permits. */
final class PermitChecks {

    /** The first declaration of each template that asks for a lock, and the first that asks for permits. */
    private final Map<String, LockDeclaration> locks = new HashMap<>();

    private final Map<String, LockOperation> permits = new HashMap<>();

    /** Compares the method's locks with each other and with those of the methods before. */
    List<LockProblem> check(LockMetadata method) {
        List<LockProblem> problems = new ArrayList<>();
        for (LockOperation lock : method.locks()) {
            LockDeclaration declaration = lock.declaration();
            String name = declaration.template() + " in " + method.executor();
            if (lock.isPermit()) {
                permits.putIfAbsent(name, lock);
            } else {
                locks.putIfAbsent(name, declaration);
            }
            LockOperation permit = permits.get(name);
            LockDeclaration exclusive = locks.get(name);
            if (permit != null && exclusive != null) {
                problems.add(new LockProblem(
                        place(permit.declaration()) + " asks for a permit of '" + key(declaration) + "', and "
                                + place(exclusive) + " asks for it as a lock.",
                        "A name is a lock or has permits, not both: give one of them another key."));
            }
            if (permit != null && lock.isPermit() && permit.permits() != lock.permits()) {
                problems.add(new LockProblem(
                        place(permit.declaration()) + " has permits = " + permit.permits() + " for '"
                                + key(declaration) + "', and " + place(declaration) + " has permits = "
                                + lock.permits() + " for it.",
                        "Give both the same number, such as by one property (permitsString), or another key to one of"
                                + " them."));
            }
        }
        return problems;
    }

    private static String key(LockDeclaration declaration) {
        return MessageText.of(declaration.annotation().key());
    }

    private static String place(LockDeclaration declaration) {
        return AttributeNames.of(declaration).place(declaration.method());
    }
}
