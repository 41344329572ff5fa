package io.distributionlock.sample.instances;

/**
 * A running instance.
 *
 * @param name how it calls itself
 * @param url what its paths are behind, as in {@code http://localhost:8080/api}
 */
public record Instance(String name, String url) {}
