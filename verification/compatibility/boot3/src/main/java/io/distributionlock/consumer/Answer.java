package io.distributionlock.consumer;

/** What the application answers in. */
public record Answer(String text) {}
