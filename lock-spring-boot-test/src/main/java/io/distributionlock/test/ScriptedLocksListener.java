package io.distributionlock.test;

import org.springframework.test.context.TestContext;
import org.springframework.test.context.TestExecutionListener;

/** Clears scripts after each test method, so that none applies in the next. */
final class ScriptedLocksListener implements TestExecutionListener {

    @Override
    public void afterTestMethod(TestContext testContext) {
        if (testContext.hasApplicationContext()) {
            testContext
                    .getApplicationContext()
                    .getBeanProvider(ScriptedLockExecutor.class)
                    .ifAvailable(ScriptedLockExecutor::reset);
        }
    }
}
