package io.distributionlock.rack;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * One episode as a line of a CSV file.
 *
 * @param own what the rack's judge says
 * @param lincheck what Lincheck says
 */
record Row(Stamp stamp, Cell cell, int episode, Verdict verdict, Opinion own, Opinion lincheck) {

    /**
     * Of which run it is.
     *
     * @param server what the locks were kept in
     * @param commit of the rack
     * @param sources the digest of the library's code: only rows with the same one may be added up
     */
    record Stamp(String server, long seed, String commit, String sources) {}

    private static final String HEAD = "server,fault,library,seed,episode,"
            + Arrays.stream(Figure.values()).map(Figure::toString).collect(Collectors.joining(","))
            + ",own-lease,own-told,lincheck-lease,lincheck-told,commit,sources";

    private static final int BEFORE = 5;

    Row with(Verdict other) {
        return new Row(stamp, cell, episode, other, own, lincheck);
    }

    /** Names the episode, and its history. */
    String key() {
        return stamp.server + "/" + cell.fileName() + "-" + stamp.seed + "-" + episode;
    }

    static void write(List<Row> rows, Path file) {
        List<String> lines = new ArrayList<>(List.of(HEAD));
        rows.forEach(row -> lines.add(row.line()));
        try {
            Files.createDirectories(file.toAbsolutePath().getParent());
            Files.write(file, lines);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private String line() {
        List<String> fields = new ArrayList<>(List.of(
                stamp.server,
                cell.fault().toString(),
                cell.library().toString(),
                String.valueOf(stamp.seed),
                String.valueOf(episode)));
        for (Figure figure : Figure.values()) {
            fields.add(String.valueOf(verdict.of(figure)));
        }
        for (Opinion opinion : List.of(own, lincheck)) {
            fields.add(opinion.lease().toString());
            fields.add(opinion.told().toString());
        }
        fields.addAll(List.of(stamp.commit, stamp.sources));
        return String.join(",", fields);
    }

    /** None if the file has other columns. */
    static List<Row> read(Path file) {
        try {
            List<String> lines = Files.readAllLines(file);
            return lines.isEmpty() || !lines.get(0).equals(HEAD)
                    ? List.of()
                    : lines.stream().skip(1).map(Row::parse).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Row parse(String line) {
        String[] fields = line.split(",", -1);
        Fault fault = Rack.named(Fault.values(), fields[1]).get(0);
        Library library = Rack.named(Library.values(), fields[2]).get(0);
        Verdict verdict = Verdict.EMPTY;
        for (Figure figure : Figure.values()) {
            verdict = verdict.with(figure, Long.parseLong(fields[BEFORE + figure.ordinal()]));
        }
        int next = BEFORE + Figure.values().length;
        return new Row(
                new Stamp(fields[0], Long.parseLong(fields[3]), fields[next + 4], fields[next + 5]),
                new Cell(library, fault),
                Integer.parseInt(fields[4]),
                verdict,
                new Opinion(Opinion.Level.parse(fields[next]), Opinion.Level.parse(fields[next + 1])),
                new Opinion(Opinion.Level.parse(fields[next + 2]), Opinion.Level.parse(fields[next + 3])));
    }
}
