package io.distributionlock.engine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A file that says what a process does about its locks: blocks of events, followed by {@code ----} and exactly what came out. A blank
 * line ends a block. What follows {@code "# "} is a comment.
 */
public final class StateFile {

    private static final String DIVIDER = "----";

    private final Path path;
    private final List<Block> blocks = new ArrayList<>();

    /** What the file says from one block's first line on; all but what came out is kept when it is rewritten. */
    private record Block(int line, List<String> text, List<String> events, List<String> expected) {

        Block(int line) {
            this(line, new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
        }
    }

    private StateFile(Path path) throws IOException {
        this.path = path;
        List<String> lines = Files.readAllLines(path);
        Block block = new Block(1);
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i);
            block.text.add(line);
            if (line.equals(DIVIDER)) {
                while (i + 1 < lines.size() && !lines.get(i + 1).isBlank()) {
                    block.expected.add(lines.get(++i));
                }
                blocks.add(block);
                block = new Block(i + 2);
            } else {
                String event = line.replaceFirst("(^|\\s+)#(\\s.*|$)", "").strip();
                if (!event.isEmpty()) {
                    block.events.add(event);
                }
            }
        }
        if (!block.events.isEmpty()) {
            throw new AssertionError(path + " does not say what comes of its last events.");
        }
    }

    /** All files of a folder of the test resources. */
    public static List<Path> in(String folder) throws IOException {
        try (Stream<Path> files = Files.list(Path.of("src/test/resources", folder))) {
            return files.filter(file -> file.toString().endsWith(".txt"))
                    .sorted()
                    .toList();
        }
    }

    /** Fails unless what comes out of each block's events is what the file says; or writes that into the file. */
    public static void check(Path path, Function<List<String>, List<String>> process) throws IOException {
        StateFile file = new StateFile(path);
        if (Boolean.getBoolean("state.rewrite")) {
            file.rewrite(process);
        } else {
            file.run(process);
        }
    }

    private void run(Function<List<String>, List<String>> process) {
        for (Block block : blocks) {
            List<String> actual = answer(process, block);
            if (!actual.equals(block.expected)) {
                throw new AssertionError(path + ":" + block.line + "\n" + String.join("\n", block.events) + "\n"
                        + DIVIDER + "\n" + difference(block.expected, actual));
            }
        }
    }

    private void rewrite(Function<List<String>, List<String>> process) throws IOException {
        List<String> lines = new ArrayList<>();
        for (Block block : blocks) {
            lines.addAll(block.text);
            lines.addAll(answer(process, block));
        }
        Files.write(path, lines);
    }

    private List<String> answer(Function<List<String>, List<String>> process, Block block) {
        try {
            return shortened(process.apply(block.events));
        } catch (RuntimeException e) {
            throw new AssertionError(path + ":" + block.line + ": " + e, e);
        }
    }

    /** Of lines, or groups of lines, that differ only in numbers, the first and the last will do. */
    private static List<String> shortened(List<String> lines) {
        List<String> shorter = new ArrayList<>();
        int line = 0;
        while (line < lines.size()) {
            int start = line;
            int group = IntStream.rangeClosed(1, 3)
                    .filter(size -> alike(lines, start, size) > 3 * size)
                    .findFirst()
                    .orElse(0);
            if (group == 0) {
                shorter.add(lines.get(line++));
            } else {
                int end = line + alike(lines, line, group);
                shorter.addAll(lines.subList(line, line + group));
                shorter.add("... " + (end - line - 2 * group) + " more");
                shorter.addAll(lines.subList(end - group, end));
                line = end;
            }
        }
        return shorter;
    }

    /** How many lines from this one on are like those of the group before them. */
    private static int alike(List<String> lines, int start, int group) {
        int end = start + group;
        while (end < lines.size() && shape(lines.get(end)).equals(shape(lines.get(end - group)))) {
            end++;
        }
        return end - start;
    }

    private static String shape(String line) {
        return line.replaceAll("\\d+", "0");
    }

    /** Lines that are missing begin with a minus, those that are too many with a plus. */
    private static String difference(List<String> expected, List<String> actual) {
        int same = 0;
        while (same < Math.min(expected.size(), actual.size())
                && expected.get(same).equals(actual.get(same))) {
            same++;
        }
        StringBuilder text = new StringBuilder();
        expected.subList(0, same).forEach(line -> text.append("  ").append(line).append('\n'));
        expected.subList(same, expected.size())
                .forEach(line -> text.append("- ").append(line).append('\n'));
        actual.subList(same, actual.size())
                .forEach(line -> text.append("+ ").append(line).append('\n'));
        return text.toString();
    }
}
