package io.distributionlock.hold;

import org.jspecify.annotations.Nullable;

/**
 * Interrupts the thread of the work when a lock is lost. Its interrupt must not hit what the thread does before or after the work.
 */
final class LossInterrupt {

    private @Nullable Thread runner;
    private boolean lost;

    /**
     * Whether this has set the flag of the thread, rather than an interrupt from elsewhere before. One that comes after it finds the
     * flag set, and is cleared with it: a thread has one flag, which does not say who has set it.
     */
    private boolean flagIsOwn;

    synchronized void begin() {
        runner = Thread.currentThread();
        if (lost) {
            interrupt(runner);
        }
    }

    synchronized void end() {
        runner = null;
        if (flagIsOwn) {
            Thread.interrupted();
        }
    }

    synchronized void now() {
        lost = true;
        if (runner != null) {
            interrupt(runner);
        }
    }

    private void interrupt(Thread thread) {
        flagIsOwn |= !thread.isInterrupted();
        thread.interrupt();
    }
}
