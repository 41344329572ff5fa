package io.distributionlock.redis;

import java.util.List;

/**
 * What a script leaves to the process that has called it. Called on the thread that receives the answer, before the answer is known, so
 * it must not block.
 */
interface ScriptDuties {

    /** For scripts that leave nothing. */
    ScriptDuties NONE = new ScriptDuties() {
        @Override
        public void admitOthers() {}

        @Override
        public void tell(List<String> messages) {}
    };

    /** The script has admitted as many waiters as one run may, and others could still enter. */
    void admitOthers();

    /**
     * The script has notified nobody.
     *
     * @param messages as {@code lock.lua} writes them
     */
    void tell(List<String> messages);
}
