package io.distributionlock.sample.job;

/**
 * A turn of the job that has run.
 *
 * @param turn which one
 * @param instance where it ran
 */
public record JobRun(String turn, String instance) {}
