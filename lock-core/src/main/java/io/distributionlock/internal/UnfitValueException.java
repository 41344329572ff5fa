package io.distributionlock.internal;

import java.util.Arrays;
import java.util.function.UnaryOperator;

/**
 * A value that is out of its range, or does not fit another: what is wrong, and what to do. An annotation may call the attributes something
 * else.
 *
 * @hidden
 */
@Internal
public final class UnfitValueException extends IllegalArgumentException {

    private final String problem;
    private final String action;
    private final String[] attributes;

    /**
     * @param problem a sentence with {@code %s} in the place of the name of an attribute
     * @param action another one; {@code %2$s} is the second attribute
     */
    public UnfitValueException(String problem, String action, String... attributes) {
        this("", problem, action, attributes);
    }

    private UnfitValueException(String place, String problem, String action, String... attributes) {
        super(place + problem.formatted((Object[]) attributes) + ' ' + action.formatted((Object[]) attributes));
        this.problem = problem;
        this.action = action;
        this.attributes = attributes;
    }

    /** This exception with a prefix before its message. */
    public UnfitValueException at(String place) {
        return new UnfitValueException(place, problem, action, attributes);
    }

    /** @param names the name of an attribute as it is written */
    public String problem(UnaryOperator<String> names) {
        return named(problem, names);
    }

    /** @param names the name of an attribute as it is written */
    public String action(UnaryOperator<String> names) {
        return named(action, names);
    }

    private String named(String sentence, UnaryOperator<String> names) {
        return sentence.formatted(Arrays.stream(attributes).map(names).toArray());
    }
}
