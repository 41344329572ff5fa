package io.distributionlock.contract;

import io.distributionlock.testing.StandstillWatch;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.time.Duration;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;

/**
 * Does a test again that failed while its process or a server of its stood still. Leases end and waits are over in such a time, and
 * rightly so: the failure proves nothing. A test that fails without a standstill has failed.
 */
final class Standstills implements InvocationInterceptor {

    private static final int MOST = 3;

    /** No wait, lease or renewal of the contract depends on less. */
    private static final Duration SHORTEST = Duration.ofMillis(100);

    @Override
    public void interceptTestTemplateMethod(
            Invocation<Void> invocation,
            ReflectiveInvocationContext<Method> invocationContext,
            ExtensionContext extensionContext)
            throws Throwable {
        run(invocation, invocationContext, SHORTEST);
    }

    /** @param shortest which standstill counts as one */
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
                System.out.println(test.getExecutable().getName() + " is done again, because its process or its Redis"
                        + " stood still for " + watch.longest().toMillis() + " ms: " + failure);
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
