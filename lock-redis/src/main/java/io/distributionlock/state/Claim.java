package io.distributionlock.state;

import io.distributionlock.internal.Internal;

/**
 * The id by which this process asks for a lock or owns it: {@code <instance>:<number>}, {@code <instance>:r<number>} to read, or
 * {@code <instance>:p<permits>-<number>} for a permit. Its text is made when it is sent: a process may hold very many locks, and all
 * claims of locks share the beginning.
 *
 * @param beginning all but the number
 * @hidden
 */
@Internal
public record Claim(String beginning, long number) {

    /** The id as the backend knows it. */
    public String text() {
        return beginning + number;
    }

    @Override
    public String toString() {
        return text();
    }
}
