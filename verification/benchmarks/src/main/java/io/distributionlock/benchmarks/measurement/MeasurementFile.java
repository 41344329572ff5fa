package io.distributionlock.benchmarks.measurement;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/**
 * Raw values as CSV: a line of column names, then one line per {@link Measurement}. No text is quoted: a comma, a quotation mark or
 * a line break in one is refused, so that every tool reads the file alike.
 */
public final class MeasurementFile {

    private static final String COLUMNS = "workload,variant,contestant,metric,unit,round,value";
    private static final int COLUMN_COUNT = 7;

    private final Path path;

    public MeasurementFile(Path path) {
        this.path = path;
    }

    /** Replaces the file. */
    public void write(List<Measurement> measurements) {
        try {
            Files.write(path, List.of(COLUMNS));
        } catch (IOException failed) {
            throw new UncheckedIOException("Cannot write " + path, failed);
        }
        append(measurements);
    }

    /** Adds to the file, which must exist. */
    public void append(List<Measurement> measurements) {
        List<String> lines = measurements.stream().map(MeasurementFile::lineOf).toList();
        try {
            Files.write(path, lines, StandardOpenOption.APPEND);
        } catch (IOException failed) {
            throw new UncheckedIOException("Cannot append to " + path, failed);
        }
    }

    /** What is in the file, in its order. */
    public List<Measurement> read() {
        try {
            List<String> lines = Files.readAllLines(path);
            if (lines.isEmpty() || !lines.get(0).equals(COLUMNS)) {
                throw new IllegalArgumentException(path + " does not begin with the line " + COLUMNS);
            }
            List<Measurement> measurements = new ArrayList<>();
            for (int number = 2; number <= lines.size(); number++) {
                measurements.add(measurementOf(lines.get(number - 1), number));
            }
            return measurements;
        } catch (IOException failed) {
            throw new UncheckedIOException("Cannot read " + path, failed);
        }
    }

    private static String lineOf(Measurement measurement) {
        return String.join(
                ",",
                plain(measurement.workload()),
                plain(measurement.variant()),
                plain(measurement.contestant()),
                plain(measurement.metric()),
                plain(measurement.unit()),
                String.valueOf(measurement.round()),
                String.valueOf(measurement.value()));
    }

    private static String plain(String text) {
        if (text.matches("(?s).*[,\"\\r\\n].*")) {
            throw new IllegalArgumentException(
                    "'" + text + "' must not contain a comma, a quotation mark or a line break");
        }
        return text;
    }

    private Measurement measurementOf(String line, int number) {
        String[] fields = line.split(",", -1);
        if (fields.length != COLUMN_COUNT) {
            throw new IllegalArgumentException(
                    path + ", line " + number + ": " + fields.length + " columns instead of " + COLUMN_COUNT);
        }
        try {
            return new Measurement(
                    fields[0],
                    fields[1],
                    fields[2],
                    fields[3],
                    fields[4],
                    Integer.parseInt(fields[5]),
                    Double.parseDouble(fields[6]));
        } catch (NumberFormatException notANumber) {
            throw new IllegalArgumentException(
                    path + ", line " + number + ": the last two columns must be numbers", notANumber);
        }
    }
}
