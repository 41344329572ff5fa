package io.distributionlock.sample.showcase.queue;

/**
 * A place in the queue.
 *
 * @param place counts from 1, in the order in which the places were given out
 * @param askedAt when the visitor arrived, in microseconds since 1970
 */
public record Ticket(String queue, String visitor, int place, long askedAt) {}
