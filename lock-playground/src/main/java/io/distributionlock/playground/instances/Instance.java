package io.distributionlock.playground.instances;

/**
 * A running instance.
 *
 * @param name its unique name
 * @param url the base of its paths, such as {@code http://localhost:8080/api}
 */
public record Instance(String name, String url) {}
