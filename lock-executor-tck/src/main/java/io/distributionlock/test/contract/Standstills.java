package io.distributionlock.test.contract;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;

/**
 * Repeats a test that failed while its process or a server was unresponsive. Leases expire and waits end in such a time, as they
 * should, so the failure proves nothing. A test that fails without such a pause has failed; so has one that fails after a few were
 * repeated, because a machine that stands still so often hides real failures.
 */
final class Standstills implements InvocationInterceptor {

    private static final int MAX_OF_A_TEST = 3;

    /** Of all tests of a virtual machine. */
    private static final Repetitions REPETITIONS = new Repetitions(6);

    /** No wait, lease or renewal of the contract depends on a shorter time. */
    private static final Duration MIN_STANDSTILL = Duration.ofMillis(100);

    @Override
    public void interceptTestTemplateMethod(
            Invocation<Void> invocation,
            ReflectiveInvocationContext<Method> invocationContext,
            ExtensionContext extensionContext)
            throws Throwable {
        run(invocation, invocationContext, MIN_STANDSTILL, REPETITIONS);
    }

    /** @param shortest the shortest pause that excuses a failure */
    static void run(
            Invocation<Void> first,
            ReflectiveInvocationContext<Method> test,
            Duration shortest,
            Repetitions repetitions)
            throws Throwable {
        ContractSuite suite = (ContractSuite) test.getTarget().orElseThrow();
        Attempt attempt = first::proceed;
        for (int standstills = 0; ; standstills++) {
            StandstillWatch watch = suite.watch();
            try (watch) {
                attempt.run();
                return;
            } catch (Throwable failure) {
                if (standstills == MAX_OF_A_TEST || watch.longest().compareTo(shortest) < 0) {
                    throw failure;
                }
                if (!repetitions.isOneLeft()) {
                    failure.addSuppressed(
                            new AssertionError("It is not repeated, although its process or a server did not"
                                    + " respond for " + watch.longest().toMillis()
                                    + " ms: too many tests were repeated before."
                                    + " Run the contract on a machine that is less busy."));
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

    /** How many tests may still be repeated. */
    static final class Repetitions {

        private final AtomicInteger left;

        Repetitions(int most) {
            this.left = new AtomicInteger(most);
        }

        private boolean isOneLeft() {
            return left.getAndDecrement() > 0;
        }
    }

    private interface Attempt {
        void run() throws Throwable;
    }
}
