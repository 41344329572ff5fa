package io.distributionlock.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Lets the events of a {@link StateFile} happen, and writes down what comes out. */
public abstract class EventDriver {

    private static final Pattern RANGE = Pattern.compile("(\\S*?)(\\d+)\\.\\.\\D*(\\d+)");

    private final List<String> out = new ArrayList<>();

    /** Forgets all that has happened. */
    protected abstract void begin();

    protected abstract void happens(String verb, Words words);

    /** Writes down what came out by itself. */
    protected void ended() {}

    protected void write(String line) {
        out.add(line);
    }

    /** Lets events happen, and returns what comes out. */
    public final List<String> run(List<String> events) {
        out.clear();
        events.forEach(this::run);
        ended();
        return out.isEmpty() ? List.of("nothing") : List.copyOf(out);
    }

    /** An event with ranges, such as {@code w1..w9}, happens once for each of their numbers. */
    private void run(String event) {
        if (event.startsWith("given ")) {
            begin();
            run(event.substring("given ".length()));
            ended();
            out.clear();
            return;
        }
        if (event.contains("; ")) {
            List.of(event.split("; ")).forEach(this::run);
            return;
        }
        Matcher range = RANGE.matcher(event);
        if (!range.find()) {
            happens(event);
            return;
        }
        int count = Integer.parseInt(range.group(3)) - Integer.parseInt(range.group(2));
        for (int i = 0; i <= count; i++) {
            int number = i;
            happens(range.replaceAll(each -> each.group(1) + (Integer.parseInt(each.group(2)) + number)));
        }
    }

    private void happens(String event) {
        Words words = new Words(event);
        happens(words.next(), words);
        words.end();
    }
}
