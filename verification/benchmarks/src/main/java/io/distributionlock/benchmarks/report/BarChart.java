package io.distributionlock.benchmarks.report;

import io.distributionlock.benchmarks.measurement.Statistics;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;

/** Groups of horizontal bars, each with a line from its least to its most. */
final class BarChart {

    private static final int WIDTH = 820;
    private static final int LEFT = 210;
    private static final int RIGHT = 90;
    private static final int TOP = 44;
    private static final int BAR = 14;
    private static final int GAP = 14;
    private static final int BOTTOM = 34;
    private static final int LEGEND_LINE = 18;
    private static final int LEGEND_COLUMN = 200;
    private static final int LEGEND_COLUMNS = 4;

    private final String title;
    private final String axis;
    private final Map<String, Map<String, Statistics>> groups = new LinkedHashMap<>();

    /** @param axis what the length of a bar says */
    BarChart(String title, String axis) {
        this.title = title;
        this.axis = axis;
    }

    void add(String group, String contestant, Statistics bar) {
        groups.computeIfAbsent(group, unused -> new LinkedHashMap<>()).put(contestant, bar);
    }

    boolean isEmpty() {
        return groups.isEmpty();
    }

    /** The whole file. */
    String svg() {
        Scale scale = scale();
        List<String> contestants = contestants();
        int legendLines = (contestants.size() + LEGEND_COLUMNS - 1) / LEGEND_COLUMNS;
        int bars = groups.values().stream().mapToInt(Map::size).sum();
        int plot = bars * BAR + groups.size() * GAP;
        int height = TOP + plot + BOTTOM + legendLines * LEGEND_LINE + 8;
        StringBuilder svg = new StringBuilder();
        line(
                svg,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\""
                        + " role=\"img\" aria-label=\"%s\">",
                WIDTH,
                height,
                WIDTH,
                height,
                escaped(title));
        line(svg, "<title>%s</title>", escaped(title));
        line(
                svg,
                "<style>text{font:12px sans-serif;fill:#1f2328}.h{font-size:15px;font-weight:600}.m{fill:#59636e}"
                        + ".g{stroke:#d1d9e0}.w{stroke:#1f2328}@media(prefers-color-scheme:dark){text{fill:#f0f6fc}"
                        + ".m{fill:#9198a1}.g{stroke:#3d444d}.w{stroke:#f0f6fc}}</style>");
        line(svg, "<text class=\"h\" x=\"8\" y=\"20\">%s</text>", escaped(title));
        marks(svg, scale, plot);
        bars(svg, scale);
        legend(svg, contestants, TOP + plot + BOTTOM + 12);
        line(svg, "</svg>");
        return svg.toString();
    }

    private void marks(StringBuilder svg, Scale scale, int plot) {
        for (double mark : scale.marks()) {
            double x = x(scale, mark);
            line(svg, "<line class=\"g\" x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\"/>", x, TOP, x, TOP + plot);
            line(
                    svg,
                    "<text class=\"m\" text-anchor=\"middle\" x=\"%.1f\" y=\"%d\">%s</text>",
                    x,
                    TOP + plot + 15,
                    Figures.of(mark));
        }
        String kind = scale.isLogarithmic() ? axis + ", logarithmic" : axis;
        line(svg, "<text class=\"m\" x=\"%d\" y=\"38\">%s</text>", LEFT, escaped(kind));
    }

    private void bars(StringBuilder svg, Scale scale) {
        int y = TOP + GAP / 2;
        for (Map.Entry<String, Map<String, Statistics>> group : groups.entrySet()) {
            int middle = y + group.getValue().size() * BAR / 2 + 4;
            line(
                    svg,
                    "<text text-anchor=\"end\" x=\"%d\" y=\"%d\">%s</text>",
                    LEFT - 8,
                    middle,
                    escaped(group.getKey()));
            for (Map.Entry<String, Statistics> bar : group.getValue().entrySet()) {
                bar(svg, scale, y, bar.getKey(), bar.getValue());
                y += BAR;
            }
            y += GAP;
        }
    }

    private static void bar(StringBuilder svg, Scale scale, int y, String contestant, Statistics value) {
        double end = x(scale, value.median());
        line(
                svg,
                "<rect x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"%d\" fill=\"%s\"><title>%s: %s</title></rect>",
                LEFT,
                y + 1,
                Math.max(1, end - LEFT),
                BAR - 2,
                Legend.colour(contestant),
                escaped(contestant),
                Figures.of(value));
        double most = x(scale, value.most());
        if (value.rounds() > 1) {
            double centre = y + BAR / 2.0;
            line(
                    svg,
                    "<line class=\"w\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>",
                    x(scale, value.least()),
                    centre,
                    most,
                    centre);
        }
        line(
                svg,
                "<text class=\"m\" x=\"%.1f\" y=\"%d\">%s</text>",
                Math.max(end, most) + 4,
                y + BAR - 3,
                Figures.of(value.median()));
    }

    private static void legend(StringBuilder svg, List<String> contestants, int y) {
        for (int i = 0; i < contestants.size(); i++) {
            int x = 8 + i % LEGEND_COLUMNS * LEGEND_COLUMN;
            int top = y + i / LEGEND_COLUMNS * LEGEND_LINE;
            line(
                    svg,
                    "<rect x=\"%d\" y=\"%d\" width=\"11\" height=\"11\" fill=\"%s\"/>",
                    x,
                    top - 10,
                    Legend.colour(contestants.get(i)));
            line(svg, "<text x=\"%d\" y=\"%d\">%s</text>", x + 16, top, escaped(contestants.get(i)));
        }
    }

    private List<String> contestants() {
        TreeSet<String> all = new TreeSet<>(Legend.order());
        groups.values().forEach(bars -> all.addAll(bars.keySet()));
        return new ArrayList<>(all);
    }

    private Scale scale() {
        double least = Double.MAX_VALUE;
        double most = 0;
        for (Map<String, Statistics> bars : groups.values()) {
            for (Statistics bar : bars.values()) {
                most = Math.max(most, bar.most());
                if (bar.median() > 0) {
                    least = Math.min(least, bar.median());
                }
            }
        }
        return Scale.of(least, most);
    }

    private static double x(Scale scale, double value) {
        return LEFT + scale.place(value) * (WIDTH - LEFT - RIGHT);
    }

    private static void line(StringBuilder svg, String format, Object... values) {
        svg.append(String.format(Locale.ROOT, format, values)).append('\n');
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }
}
