package io.distributionlock.sample.queue;

/**
 * A place that was given.
 *
 * @param place from 1 on, in the order in which they were given
 * @param askedAt when the visitor arrived, in microseconds since 1970
 */
public record Ticket(String queue, String visitor, int place, long askedAt) {}
