package io.distributionlock.autoconfigure;

import io.distributionlock.internal.BackendProblemException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Explains a failed start when locks cannot be acquired from the backend. */
class BackendProblemFailureAnalyzer extends AbstractFailureAnalyzer<BackendProblemException> {

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, BackendProblemException cause) {
        return new FailureAnalysis(cause.description(), cause.action(), cause);
    }
}
