package io.distributionlock.protocol;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * What was seen of the real scripts, in several runs: a line that begins with "run" says how to repeat it, and each further line is a
 * step, as a TLA+ record.
 */
record Trace(List<List<String>> runs) {

    private static final String WRONG = "wrong ";

    /** A trace that ends with a step that the specification must not allow, because it violates the property. */
    record Wrong(String property, Trace trace) {

        @Override
        public String toString() {
            return property + " of " + trace.runs.get(0).get(0) + ", step " + trace.steps();
        }
    }

    static Trace of(List<String> lines) {
        Trace trace = new Trace(new ArrayList<>());
        lines.stream().filter(line -> !line.startsWith(WRONG)).forEach(trace::add);
        return trace;
    }

    /** A line that begins with "wrong" has a property, and a step that would be wrong instead of the step before. */
    static List<Wrong> wrong(List<String> lines) {
        List<Wrong> wrong = new ArrayList<>();
        Trace right = new Trace(new ArrayList<>());
        for (String line : lines) {
            if (line.startsWith(WRONG)) {
                String[] words = line.split(" ", 3);
                wrong.add(new Wrong(words[1], right.endingWith(words[2])));
            } else {
                right.add(line);
            }
        }
        return wrong;
    }

    private void add(String line) {
        if (line.startsWith("run ")) {
            runs.add(new ArrayList<>());
        }
        if (line.startsWith("run ") || line.startsWith("[")) {
            runs.get(runs.size() - 1).add(line);
        }
    }

    /** The last run, with this instead of its last step. */
    private Trace endingWith(String step) {
        List<String> run = new ArrayList<>(runs.get(runs.size() - 1));
        run.set(run.size() - 1, step);
        return new Trace(List.of(run));
    }

    int steps() {
        return runs.stream().mapToInt(run -> run.size() - 1).sum();
    }

    /** The module that LockTrace.tla extends. */
    String module() {
        StringBuilder module = new StringBuilder("---- MODULE Steps ----\n");
        for (int i = 0; i < runs.size(); i++) {
            List<String> run = runs.get(i);
            module.append("\\* ").append(run.get(0)).append("\nRun").append(i).append(" == <<\n");
            module.append(String.join(",\n", run.subList(1, run.size()))).append(">>\n");
        }
        String all = IntStream.range(0, runs.size()).mapToObj(i -> "Run" + i).collect(Collectors.joining(", "));
        return module.append("Runs == <<").append(all).append(">>\n====\n").toString();
    }
}
