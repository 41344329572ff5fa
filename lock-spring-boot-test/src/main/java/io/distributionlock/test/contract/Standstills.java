package io.distributionlock.test.contract;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.time.Duration;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;

/**
 * Repeats a test that failed while its process or a server was unresponsive. Leases expire and waits end in such a time, as they
 * should, so the failure proves nothing. A test that fails without such a pause has failed.
 */
final class Standstills implements InvocationInterceptor {

    private static final int MOST = 3;

    /** No wait, lease or renewal of the contract depends on a shorter time. */
    private static final Duration SHORTEST = Duration.ofMillis(100);

    @Override
    public void interceptTestTemplateMethod(
            Invocation<Void> invocation,
            ReflectiveInvocationContext<Method> invocationContext,
            ExtensionContext extensionContext)
            throws Throwable {
        run(invocation, invocationContext, SHORTEST);
    }

    /** @param shortest the shortest pause that excuses a failure */
    static void run(Invocation<Void> first, ReflectiveInvocationContext<Method> test, Duration shortest)
            throws Throwable {
        ContractSuite suite = (ContractSuite) test.getTarget().orElseThrow();
        Attempt attempt = first::proceed;
        for (int standstills = 0; ; standstills++) {
            StandstillWatch watch = suite.watch();
            try (watch) {
                attempt.run();
                return;
            } catch (Throwable failure) {
                if (standstills == MOST || watch.longest().compareTo(shortest) < 0) {
                    throw failure;
                }
                System.out.println(test.getExecutable().getName() + " is repeated, because its process or a server did"
                        + " not respond for " + watch.longest().toMillis() + " ms: " + failure);
            }
            suite.startAnew();
            attempt = () -> invoke(test);
        }
    }

    private static void invoke(ReflectiveInvocationContext<Method> test) throws Throwable {
        Method method = test.getExecutable();
        method.setAccessible(true);
        try {
            method.invoke(test.getTarget().orElseThrow(), test.getArguments().toArray());
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    private interface Attempt {
        void run() throws Throwable;
    }
}
