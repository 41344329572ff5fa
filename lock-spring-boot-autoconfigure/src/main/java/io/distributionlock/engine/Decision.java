package io.distributionlock.engine;

import io.distributionlock.LockOutcome;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What the {@link LockState} of a name wants to be done, in this order, once its event is over. */
sealed interface Decision {

    record SendAcquire(String claim, long leaseMillis, boolean inQueue, long sentAt, Flight flight)
            implements Decision {}

    /** Nobody waits for the answer to an acquire any longer; if it was not sent yet, it need not be. */
    record Drop(Flight flight) implements Decision {}

    /** Says that a claim is given up; the ticket, if any, is told how that ended. */
    record SendRelease(
            String claim,
            boolean bury,
            long keepMillis,
            @Nullable ReleaseTicket ticket) implements Decision {}

    /** Turns an exclusive tenure into one of a reader; the ticket is told how that ended. */
    record SendDowngrade(String claim, ReleaseTicket ticket) implements Decision {}

    /** Lets those who are inside be asked whether they know of it. */
    record Inquire() implements Decision {}

    /** Asks to prolong a lease; the extension, if any, is told how that ended. */
    record SendRenew(
            String claim,
            long leaseMillis,
            long sentAt,
            @Nullable Extension extension) implements Decision {}

    /** Asks whether a lease still stands, for all who want to know. */
    record SendCheck(String claim, long sentAt, List<Extension> asking) implements Decision {}

    /** What was asked of a lease has its answer. Told when the state is up to date: whoever hears it may look at once. */
    record Answer(Extension extension, boolean held) implements Decision {}

    record Grant(Waiter waiter, Hold hold) implements Decision {}

    /** What was asked for is a mistake in the program. */
    record Refuse(Waiter waiter, RuntimeException mistake) implements Decision {}

    record Fail(Waiter waiter, LockOutcome.NotAcquired outcome) implements Decision {}

    /** A tenure is lost that somebody held. */
    record Lost() implements Decision {}

    /** Holds are lost, and their tenure is marked so already: whoever wants to know has to be told. */
    record TellLoss(List<Runnable> listeners) implements Decision {}
}
