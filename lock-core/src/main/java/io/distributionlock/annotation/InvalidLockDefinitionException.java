package io.distributionlock.annotation;

import io.distributionlock.LockException;
import java.util.List;
import java.util.stream.Collectors;

/** Thrown when locks are declared in a way that cannot work. Stops the application's start, and lists every problem found. */
public class InvalidLockDefinitionException extends LockException {

    private static final long serialVersionUID = 1L;

    private final transient List<LockProblem> problems;

    /** @param problems all that were found */
    public InvalidLockDefinitionException(List<LockProblem> problems) {
        super(
                problems.stream()
                        .map(problem -> problem.description() + " " + problem.action())
                        .collect(Collectors.joining(System.lineSeparator())),
                null);
        this.problems = List.copyOf(problems);
    }

    /** All problems, in the order of classes and methods. */
    public List<LockProblem> problems() {
        return problems;
    }
}
