package io.distributionlock.docs;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A block of Java on a page.
 *
 * @param page where it stands
 * @param line the number of its first line of code
 * @param code without the indentation of the block
 * @param run whether the comment {@code <!-- run -->} stands before it
 */
record Snippet(String page, int line, String code, boolean run) {

    private static final Pattern OPENING = Pattern.compile("( *)```java\\b.*");
    /** Says from which file a block was copied; {@link CopiedSnippetTest} compares them. */
    static final Pattern COPIED = Pattern.compile("<!-- from (\\S+) -->");

    private static final Pattern PRINTED = Pattern.compile("System\\.out\\.println\\(.*\\);\\s*// (.*)");

    static List<Snippet> on(Page page) {
        List<Snippet> found = new ArrayList<>();
        List<String> lines = page.lines();
        for (int i = 0; i < lines.size(); i++) {
            Matcher opening = OPENING.matcher(lines.get(i));
            if (!opening.matches()) {
                continue;
            }
            int first = i + 1;
            int indentation = opening.group(1).length();
            StringBuilder code = new StringBuilder();
            for (i = first; i < lines.size() && !lines.get(i).strip().equals("```"); i++) {
                String line = lines.get(i);
                code.append(line.substring(Math.min(indentation, line.length())))
                        .append('\n');
            }
            String comment = first >= 2 ? lines.get(first - 2).strip() : "";
            if (!COPIED.matcher(comment).matches()) {
                found.add(new Snippet(page.path(), first + 1, code.toString(), comment.equals("<!-- run -->")));
            }
        }
        return found;
    }

    /** What its comments say that it prints. */
    List<String> printed() {
        return PRINTED.matcher(code)
                .results()
                .map(result -> result.group(1).strip())
                .toList();
    }

    @Override
    public String toString() {
        return page + ":" + line;
    }
}
