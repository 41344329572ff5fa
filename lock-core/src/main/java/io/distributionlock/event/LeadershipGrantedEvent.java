package io.distributionlock.event;

import io.distributionlock.internal.MessageText;

/**
 * Published when this process begins to lead.
 *
 * @param election the name of the election
 * @param fencingToken the fencing token of the term, greater than that of every earlier one; 0 if the executor draws none
 */
public record LeadershipGrantedEvent(String election, long fencingToken) {

    @Override
    public String toString() {
        return "LeadershipGrantedEvent[election=" + MessageText.of(election) + ", fencingToken=" + fencingToken + "]";
    }
}
