package io.distributionlock.aop;

/**
 * A parameter whose value is part of the lock's name.
 *
 * @param index the position of the parameter
 * @param description how messages name it
 */
record KeyPart(int index, String description) {}
