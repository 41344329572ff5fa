package io.distributionlock.aop;

import java.util.List;
import java.util.stream.Collectors;

/** Locks are declared in a way that cannot work. Stops the start of the application, and names everything that was found. */
public class InvalidLockDefinitionException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final transient List<LockProblem> problems;

    /** @param problems everything that was found */
    public InvalidLockDefinitionException(List<LockProblem> problems) {
        super(problems.stream()
                .map(problem -> problem.description() + " " + problem.cure())
                .collect(Collectors.joining(System.lineSeparator())));
        this.problems = List.copyOf(problems);
    }

    /** Everything that was found, in the order of the beans. */
    public List<LockProblem> problems() {
        return problems;
    }
}
