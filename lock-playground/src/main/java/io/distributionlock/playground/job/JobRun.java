package io.distributionlock.playground.job;

/**
 * A completed run of the job.
 *
 * @param turn the turn
 * @param instance the instance that ran it
 */
public record JobRun(String turn, String instance) {}
