package io.distributionlock.redis;

import java.util.List;

/** What a script leaves to the process that has called it. */
interface FollowUpCommands {

    /**
     * Called on the thread that receives the answer, before the answer is known, so it must not block.
     *
     * @param name the name of the lock
     * @param hasMore whether the script has admitted as many waiters as one run may, and others could still enter
     * @param outbox the messages that the script has sent to nobody, as {@code lock.lua} writes them
     */
    void run(String name, boolean hasMore, List<String> outbox);
}
