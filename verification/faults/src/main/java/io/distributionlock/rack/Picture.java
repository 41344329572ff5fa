package io.distributionlock.rack;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** A field for each cell, coloured by the worst that happened in it; the number says how often. */
final class Picture {

    private static final int LEFT = 540;
    private static final int TOP = 170;
    private static final int WIDTH = 46;
    private static final int HEIGHT = 24;

    /** From the worst on. */
    private enum Colour {
        LEASE("#cf222e", "the lock was given twice within a lease", Figure.OVERLAPS_BY_LEASE),
        TOKEN("#8250df", "a later token was not greater", Figure.TOKENS_INVERTED),
        TOLD("#fb8f44", "a holder went on, untold that its lease was over", Figure.OVERLAPS_BY_TOLD),
        REDIS(
                "#54aeff",
                "the same, because Redis had lost the lock",
                Figure.OVERLAPS_BY_LEASE_OF_REDIS,
                Figure.OVERLAPS_BY_TOLD_OF_REDIS,
                Figure.TOKENS_INVERTED_OF_REDIS),
        SLOW("#d4a72c", "a free lock was kept from a waiter for more than 1.5 s (in seconds)", Figure.LONGEST_FREE),
        GOOD("#2da44e", "none of these");

        private final String colour;
        private final String meaning;
        private final List<Figure> figures;

        Colour(String colour, String meaning, Figure... figures) {
            this.colour = colour;
            this.meaning = meaning;
            this.figures = List.of(figures);
        }

        private static Colour of(Verdict verdict) {
            return Arrays.stream(values())
                    .filter(colour -> colour.count(verdict) > (colour == SLOW ? 1_500 : 0))
                    .findFirst()
                    .orElse(GOOD);
        }

        private long count(Verdict verdict) {
            return figures.stream().mapToLong(verdict::of).max().orElse(0);
        }

        private String text(Verdict verdict) {
            return switch (this) {
                case GOOD -> "";
                case SLOW -> Results.seconds(verdict.of(Figure.LONGEST_FREE));
                default -> String.valueOf(count(verdict));
            };
        }
    }

    private final Map<Cell, Pooled> cells;
    private final List<Library> libraries;
    private final List<Fault> faults;
    private final List<String> lines = new ArrayList<>();

    Picture(Map<Cell, Pooled> cells) {
        this.cells = cells;
        this.libraries =
                cells.keySet().stream().map(Cell::library).distinct().sorted().toList();
        this.faults =
                cells.keySet().stream().map(Cell::fault).distinct().sorted().toList();
    }

    List<String> lines() {
        int bottom = TOP + faults.size() * HEIGHT;
        line(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" role=\"img\">",
                LEFT + libraries.size() * WIDTH + 90, bottom + 20 + Colour.values().length * 20);
        line("<title>Which Redis lock survives which fault</title>");
        line("<style>text{font:12px sans-serif;fill:#1f2328}.n{fill:#fff;text-anchor:middle;font-weight:600}"
                + "@media(prefers-color-scheme:dark){text{fill:#f0f6fc}}</style>");
        for (int column = 0; column < libraries.size(); column++) {
            line(
                    "<text transform=\"translate(%d,%d) rotate(-50)\">%s</text>",
                    LEFT + column * WIDTH + WIDTH / 2, TOP - 8, libraries.get(column));
        }
        for (int row = 0; row < faults.size(); row++) {
            line("<text x=\"4\" y=\"%d\">%s</text>", TOP + row * HEIGHT + 16, faults.get(row).title);
            for (int column = 0; column < libraries.size(); column++) {
                field(row, column);
            }
        }
        for (Colour colour : Colour.values()) {
            int y = bottom + 20 + colour.ordinal() * 20;
            line("<rect x=\"4\" y=\"%d\" width=\"14\" height=\"14\" rx=\"2\" fill=\"%s\"/>", y - 11, colour.colour);
            line("<text x=\"26\" y=\"%d\">%s</text>", y, colour.meaning);
        }
        line("</svg>");
        return lines;
    }

    private void field(int row, int column) {
        Pooled cell = cells.get(new Cell(libraries.get(column), faults.get(row)));
        if (cell == null) {
            return;
        }
        Verdict verdict = cell.verdict();
        Colour colour = Colour.of(verdict);
        int x = LEFT + column * WIDTH;
        int y = TOP + row * HEIGHT;
        line(
                "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" rx=\"3\" fill=\"%s\"><title>%s, %d episodes: %s</title></rect>",
                x + 1, y + 1, WIDTH - 2, HEIGHT - 2, colour.colour, libraries.get(column), cell.episodes(), verdict);
        line("<text class=\"n\" x=\"%d\" y=\"%d\">%s</text>", x + WIDTH / 2, y + 16, colour.text(verdict));
    }

    private void line(String format, Object... values) {
        lines.add(String.format(Locale.ROOT, format, values));
    }
}
