package io.distributionlock.interceptor;

import io.distributionlock.CommitGuard;
import io.distributionlock.LockTemplate;
import io.distributionlock.annotation.DistributionLock;
import io.distributionlock.annotation.LockProblem;
import io.distributionlock.annotation.OnBackendFailure;
import io.distributionlock.hold.LockScope;
import io.distributionlock.internal.MessageText;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.core.ResolvableType;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;

/** Which methods {@link CommitGuard#DATABASE} can guard, and whether the application has what it needs. */
final class CommitGuardChecks {

    private static final String TRANSACTIONAL = "org.springframework.transaction.annotation.Transactional";

    private final LockTemplates templates;
    private final LockOverrides overrides;
    private final Supplier<LockScope> scope;
    private final List<String> unguarded = new ArrayList<>();
    private boolean databaseChecked;

    CommitGuardChecks(LockTemplates templates, LockOverrides overrides, Supplier<LockScope> scope) {
        this.templates = templates;
        this.overrides = overrides;
        this.scope = scope;
    }

    /**
     * What the annotation asks for, as far as the method can have it: the default does not reach a method that cannot.
     *
     * @param problems told if the annotation itself asks for what the method cannot have
     */
    static LockSettings applicable(
            LockSettings settings,
            Method method,
            ResolvableType returnType,
            boolean async,
            DistributionLock annotation,
            String place,
            List<LockProblem> problems) {
        boolean asked = settings.commitGuard() == CommitGuard.DATABASE;
        if (!asked && settings.commitGuard() != CommitGuard.DEFAULT) {
            return settings;
        }
        String reason = whyNot(method, returnType, async, annotation);
        if (reason == null) {
            return settings;
        }
        if (asked) {
            problems.add(new LockProblem(
                    place + " has commitGuard = DATABASE, but " + reason + ".",
                    "Change that, or set 'commitGuard' to LOCAL or REMOTE."));
        }
        return settings.withCommitGuard(CommitGuard.LOCAL);
    }

    private static @Nullable String whyNot(
            Method method, ResolvableType returnType, boolean async, DistributionLock annotation) {
        if (ReturnShape.of(returnType).isAsynchronous() && !async) {
            return "its work goes on elsewhere after the method has returned, and R2DBC is not supported";
        }
        if (annotation.onBackendFailure() == OnBackendFailure.PROCEED) {
            return "with onBackendFailure = PROCEED it may run without a lock, and then commits unguarded";
        }
        MergedAnnotation<?> transaction =
                MergedAnnotations.from(method, SearchStrategy.TYPE_HIERARCHY).get(TRANSACTIONAL);
        boolean insideAnother = transaction.isPresent()
                && transaction
                        .getValue("propagation")
                        .map(String::valueOf)
                        .filter("MANDATORY"::equals)
                        .isPresent();
        return insideAnother
                ? "its @Transactional needs a transaction that has begun before the lock (propagation = MANDATORY)"
                : null;
    }

    /**
     * Checks that what the method asks for, by its annotation or by default, can be had in this application.
     *
     * @param method one with which nothing else is wrong
     */
    List<LockProblem> check(LockMetadata method) {
        LockTemplate template = templates.ifUnique(method.executor());
        if (template == null || template.kinds().isEmpty()) {
            return List.of();
        }
        boolean byDefault = template.request("check").build().commitGuard() == CommitGuard.DATABASE;
        List<LockProblem> problems = new ArrayList<>();
        for (LockOperation lock : method.locks()) {
            boolean guarded = lock.request(template.request("check"), overrides).commitGuard() == CommitGuard.DATABASE;
            if (guarded && !databaseChecked) {
                databaseChecked = true;
                problems.addAll(checkDatabase(lock));
            }
            boolean silent = lock.declaration().annotation().commitGuard() == CommitGuard.DEFAULT;
            if (byDefault && silent && !guarded) {
                unguarded.add(lock.place());
            }
        }
        return problems;
    }

    private List<LockProblem> checkDatabase(LockOperation lock) {
        try {
            scope.get().requireDatabase();
            return List.of();
        } catch (RuntimeException e) {
            return List.of(new LockProblem(
                    lock.place() + " has the commit guard DATABASE: " + MessageText.sentence(e),
                    "Correct that, or use another commit guard."));
        }
    }

    /** Warnings about methods that the default does not reach. */
    List<String> unguarded() {
        return unguarded.stream()
                .map(place -> place
                        + " is not guarded as distribution-lock.defaults.commit-guard says, because its lock is shared, its"
                        + " work goes on after it has returned, it may proceed without a lock, or its transaction begins before. Set 'commitGuard' to LOCAL to say that"
                        + " this is meant.")
                .toList();
    }
}
