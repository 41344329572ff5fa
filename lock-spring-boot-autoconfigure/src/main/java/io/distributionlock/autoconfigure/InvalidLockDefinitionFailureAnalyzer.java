package io.distributionlock.autoconfigure;

import io.distributionlock.annotation.InvalidLockDefinitionException;
import io.distributionlock.annotation.LockProblem;
import java.util.List;
import java.util.function.Function;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Explains a failed start when lock declarations cannot work. */
class InvalidLockDefinitionFailureAnalyzer extends AbstractFailureAnalyzer<InvalidLockDefinitionException> {

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, InvalidLockDefinitionException cause) {
        String description = "Locks are declared in a way that cannot work:" + list(cause, LockProblem::description);
        String action = "Correct each of them:" + list(cause, LockProblem::action)
                + System.lineSeparator()
                + System.lineSeparator()
                + "To start anyway, with a warning, set " + LockProperties.PREFIX + ".validation=warn.";
        return new FailureAnalysis(description, action, cause);
    }

    private static String list(InvalidLockDefinitionException cause, Function<LockProblem, String> text) {
        List<LockProblem> problems = cause.problems();
        StringBuilder list = new StringBuilder(System.lineSeparator());
        for (int i = 0; i < problems.size(); i++) {
            list.append(System.lineSeparator())
                    .append("    ")
                    .append(i + 1)
                    .append(". ")
                    .append(text.apply(problems.get(i)));
        }
        return list.toString();
    }
}
