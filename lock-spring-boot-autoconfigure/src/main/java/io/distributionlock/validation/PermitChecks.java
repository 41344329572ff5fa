package io.distributionlock.validation;

import io.distributionlock.annotation.LockProblem;
import io.distributionlock.interceptor.DeclaredLock;
import io.distributionlock.interceptor.LockedMethod;
import io.distributionlock.internal.MessageText;
import io.distributionlock.key.AttributeNames;
import io.distributionlock.key.LockDeclaration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Checks at start-up that no two methods use one name as a lock and with permits. */
final class PermitChecks {

    /** The first declaration of each template that asks for a lock, and the first that asks for permits. */
    private final Map<String, LockDeclaration> locks = new HashMap<>();

    private final Map<String, LockDeclaration> permits = new HashMap<>();

    /** Compares the method's locks with those of the methods before. */
    List<LockProblem> check(LockedMethod method) {
        List<LockProblem> problems = new ArrayList<>();
        for (DeclaredLock lock : method.locks()) {
            LockDeclaration declaration = lock.declaration();
            String name = declaration.template() + " in " + method.executor();
            (lock.isPermit() ? permits : locks).putIfAbsent(name, declaration);
            LockDeclaration permit = permits.get(name);
            LockDeclaration exclusive = locks.get(name);
            if (permit != null && exclusive != null) {
                problems.add(new LockProblem(
                        place(permit) + " asks for a permit of '"
                                + MessageText.of(declaration.annotation().key()) + "', and " + place(exclusive)
                                + " asks for it as a lock.",
                        "A name is a lock or has permits, not both: give one of them another key."));
            }
        }
        return problems;
    }

    private static String place(LockDeclaration declaration) {
        return AttributeNames.of(declaration).place(declaration.method());
    }
}
