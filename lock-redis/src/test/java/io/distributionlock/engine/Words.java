package io.distributionlock.engine;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The words of one event in a {@link StateFile}. Each is taken once; none may be left. */
public final class Words {

    private final String event;
    private final List<String> left;

    public Words(String event) {
        this.event = event;
        this.left = new ArrayList<>(List.of(event.split("\\s+")));
    }

    public String next() {
        if (left.isEmpty()) {
            throw new IllegalArgumentException("A word is missing in '" + event + "'");
        }
        return left.remove(0);
    }

    public boolean has(String word) {
        return left.remove(word);
    }

    /** The text after {@code key=}. */
    public String get(String key, String otherwise) {
        String found = left.stream()
                .filter(word -> word.startsWith(key + "="))
                .findFirst()
                .orElse("");
        left.remove(found);
        return found.isEmpty() ? otherwise : found.substring(key.length() + 1);
    }

    public Duration time(String key, String otherwise) {
        return duration(get(key, otherwise));
    }

    public long number(String key, long otherwise) {
        return Long.parseLong(get(key, Long.toString(otherwise)));
    }

    /** All that is left. */
    public String rest() {
        String rest = String.join(" ", left);
        left.clear();
        return rest;
    }

    public void end() {
        if (!left.isEmpty()) {
            throw new IllegalArgumentException("Nobody understands " + left + " in '" + event + "'");
        }
    }

    public static Duration duration(String text) {
        return text.endsWith("min")
                ? Duration.ofMinutes(Long.parseLong(text.substring(0, text.length() - 3)))
                : text.endsWith("ms")
                        ? Duration.ofMillis(Long.parseLong(text.substring(0, text.length() - 2)))
                        : Duration.parse("PT" + text);
    }

    public static String text(Duration time) {
        return text(time.toMillis());
    }

    public static String text(long millis) {
        return millis % 1_000 == 0 ? millis / 1_000 + "s" : millis + "ms";
    }
}
