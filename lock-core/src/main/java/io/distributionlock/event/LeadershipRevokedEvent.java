package io.distributionlock.event;

import io.distributionlock.internal.MessageText;

/**
 * Published when this process must stop leading: before it hands over, or because its lease was lost.
 *
 * @param election the name of the election
 * @param fencingToken the fencing token of the term; 0 if the executor draws none
 * @param lost whether another process may lead already. Otherwise none does until the listeners of this event have returned, or the
 *     lease has expired
 */
public record LeadershipRevokedEvent(String election, long fencingToken, boolean lost) {

    @Override
    public String toString() {
        return "LeadershipRevokedEvent[election=" + MessageText.of(election) + ", fencingToken=" + fencingToken
                + ", lost=" + lost + "]";
    }
}
