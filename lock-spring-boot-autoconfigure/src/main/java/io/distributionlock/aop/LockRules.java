package io.distributionlock.aop;

import io.distributionlock.LockRequest;
import io.distributionlock.annotation.DistributionLock;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** What a declaration of a lock must keep to, found out without calling the method. */
final class LockRules {

    private static final long UNSET = -1;

    private LockRules() {}

    /** What is wrong with one annotation on one method; empty when all is well. */
    static List<LockProblem> check(Method method, DistributionLock annotation) {
        List<LockProblem> problems = new ArrayList<>();
        String place = "@DistributionLock on " + MethodText.of(method);
        checkMethod(method, place, problems);
        if (annotation.key().isBlank()) {
            problems.add(new LockProblem(
                    place + " has a blank key.", "Set 'key' to a text that says what is locked, such as \"order\"."));
        }
        if (annotation.delimiter().isEmpty()) {
            problems.add(new LockProblem(
                    place + " has an empty delimiter.",
                    "Set 'delimiter' to at least one character, or leave it out for \":\"."));
        }
        checkTimes(annotation, place, problems);
        return problems;
    }

    private static void checkMethod(Method method, String place, List<LockProblem> problems) {
        if (Modifier.isPrivate(method.getModifiers())) {
            problems.add(unreachable(place, "private", "Make the method public and call it from another bean."));
        }
        if (Modifier.isStatic(method.getModifiers())) {
            problems.add(unreachable(place, "static", "Make it an instance method of a bean."));
        }
        if (Modifier.isFinal(method.getModifiers())) {
            problems.add(unreachable(place, "final", "Take 'final' off the method."));
        }
    }

    private static LockProblem unreachable(String place, String modifier, String cure) {
        return new LockProblem(
                place + " has no effect, because the method is " + modifier
                        + ": the proxy that locks cannot override it.",
                cure);
    }

    private static void checkTimes(DistributionLock annotation, String place, List<LockProblem> problems) {
        long tryLockTime = annotation.tryLockTime();
        if (tryLockTime < 0 && tryLockTime != UNSET) {
            problems.add(new LockProblem(
                    place + " has tryLockTime = " + tryLockTime + ".",
                    "Set 'tryLockTime' to the milliseconds to wait, to 0 for a single attempt, or leave it out for the"
                            + " default."));
        }
        long holdLockTime = annotation.holdLockTime();
        if (holdLockTime <= 0 && holdLockTime != UNSET) {
            problems.add(new LockProblem(
                    place + " has holdLockTime = " + holdLockTime + ".",
                    "Set 'holdLockTime' to at least 1 millisecond, or leave it out to hold the lock until the method"
                            + " returns."));
        } else if (holdLockTime != UNSET) {
            checkUpperLimit(holdLockTime, place, problems);
        }
    }

    private static void checkUpperLimit(long holdLockTime, String place, List<LockProblem> problems) {
        try {
            LockRequest.named("check")
                    .holdLockTime(Duration.ofMillis(holdLockTime))
                    .build();
        } catch (IllegalArgumentException e) {
            problems.add(new LockProblem(
                    place + " has holdLockTime = " + holdLockTime + ", which is longer than 365 days.",
                    "Set 'holdLockTime' to less, or leave it out to hold the lock until the method returns."));
        }
    }
}
