package io.distributionlock.docs;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A promise of docs/guarantees.md. Below its heading stand the promise and three points, in this order: when it does not hold, what proves
 * it, and a number. There is no other text between the first heading of this kind and the end of the page.
 *
 * @param heading what the promise is about
 * @param promise its sentences
 * @param except when it does not hold
 * @param proof the names of tests and invariants, in backticks
 * @param number what was measured or counted
 */
record Guarantee(String heading, String promise, String except, String proof, String number) {

    private static final Pattern NAME = Pattern.compile("`([^`]+)`");

    /** The promises of a page, and what is wrong with its form. */
    static List<Guarantee> on(Page page, List<String> problems) {
        List<Guarantee> found = new ArrayList<>();
        List<String> lines = page.lines();
        for (int i = 0; i < lines.size(); ) {
            String line = lines.get(i++);
            if (line.startsWith("## ")) {
                i = expectNothing(page, i, problems);
            } else if (line.startsWith("### ")) {
                int begin = i;
                while (i < lines.size() && !lines.get(i).startsWith("#")) {
                    i++;
                }
                found.add(read(page + ":" + begin, line.substring(4), lines.subList(begin, i), problems));
            }
        }
        return found;
    }

    private static int expectNothing(Page page, int from, List<String> problems) {
        int i = from;
        while (i < page.lines().size() && !page.lines().get(i).startsWith("#")) {
            if (!page.lines().get(i).isBlank()) {
                problems.add(page + ":" + (i + 1) + ": a sentence that is no promise with a proof");
            }
            i++;
        }
        return i;
    }

    private static Guarantee read(String where, String heading, List<String> lines, List<String> problems) {
        List<String> blocks = new ArrayList<>();
        boolean open = false;
        for (String line : lines) {
            if (line.isBlank()) {
                open = false;
            } else if (!open || line.startsWith("- ")) {
                blocks.add(line.strip());
                open = true;
            } else {
                blocks.add(blocks.remove(blocks.size() - 1) + " " + line.strip());
            }
        }
        if (blocks.isEmpty() || blocks.get(0).startsWith("- ")) {
            problems.add(where + ": '" + heading + "' promises nothing");
            blocks.add(0, "");
        }
        List<String> points = Stream.of("Except", "Proof", "Number")
                .map(point -> "- **" + point + ":** ")
                .toList();
        for (int i = 0; i < points.size(); i++) {
            if (blocks.size() <= i + 1 || !blocks.get(i + 1).startsWith(points.get(i))) {
                problems.add(where + ": '" + heading + "' has no point '"
                        + points.get(i).strip() + "' in its place");
                blocks.add(i + 1, points.get(i));
            }
        }
        for (String text : blocks.subList(points.size() + 1, blocks.size())) {
            problems.add(where + ": a sentence that is no promise with a proof: " + text);
        }
        return new Guarantee(
                heading,
                blocks.get(0),
                blocks.get(1).substring(points.get(0).length()),
                blocks.get(2).substring(points.get(1).length()),
                blocks.get(3).substring(points.get(2).length()));
    }

    /** What the proof names. */
    List<String> proofs() {
        return NAME.matcher(proof).results().map(name -> name.group(1)).toList();
    }
}
