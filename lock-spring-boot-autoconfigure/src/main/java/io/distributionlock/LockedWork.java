package io.distributionlock;

/** Work that runs while locks are held, as messages name it. */
@FunctionalInterface
public interface LockedWork {

    /** What a person calls it, such as {@code OrderService.update(String)}. */
    String describe();
}
