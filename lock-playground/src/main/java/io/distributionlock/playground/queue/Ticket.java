package io.distributionlock.playground.queue;

/**
 * A place in the queue.
 *
 * @param place counts from 1, in the order in which the places were given out
 */
public record Ticket(String queue, String visitor, int place) {}
