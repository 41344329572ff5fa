package io.distributionlock.redis;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A Redis version: its first two numbers. */
record RedisVersion(int major, int minor) {

    /** The oldest supported version, which the tests run on. */
    static final RedisVersion OLDEST = new RedisVersion(6, 2);

    private static final Pattern FORM = Pattern.compile("(\\d{1,6})\\.(\\d{1,6}).*");

    /**
     * @throws IllegalArgumentException if the text does not start with two numbers
     */
    static RedisVersion of(String text) {
        Matcher numbers = FORM.matcher(text);
        if (!numbers.matches()) {
            throw new IllegalArgumentException("'" + text + "' is not a Redis version");
        }
        return new RedisVersion(Integer.parseInt(numbers.group(1)), Integer.parseInt(numbers.group(2)));
    }

    boolean isOlderThan(RedisVersion other) {
        return major < other.major || major == other.major && minor < other.minor;
    }

    @Override
    public String toString() {
        return major + "." + minor;
    }
}
