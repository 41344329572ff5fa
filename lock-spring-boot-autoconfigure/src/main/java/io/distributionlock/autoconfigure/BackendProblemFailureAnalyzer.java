package io.distributionlock.autoconfigure;

import io.distributionlock.BackendProblemException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Explains a start that was stopped because Redis gives no locks. */
class BackendProblemFailureAnalyzer extends AbstractFailureAnalyzer<BackendProblemException> {

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, BackendProblemException cause) {
        return new FailureAnalysis(cause.description(), cause.cure(), cause);
    }
}
