package io.distributionlock.fenced;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What a worker says of its sections in one round: each at its begin and at its end, so that it stays if the worker is killed. */
final class Report implements AutoCloseable {

    private final OutputStream file;

    Report(Path path) throws IOException {
        file = Files.newOutputStream(path);
    }

    synchronized void add(Attempt attempt) {
        try {
            file.write((attempt.toLine() + "\n").getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException("A section cannot be reported", e);
        }
    }

    @Override
    public void close() throws IOException {
        file.close();
    }

    /** The last word on each section. */
    static List<Attempt> read(Path path) throws IOException {
        Map<String, Attempt> last = new LinkedHashMap<>();
        for (String line : Files.readAllLines(path)) {
            Attempt attempt = Attempt.parse(line);
            last.put(attempt.id(), attempt);
        }
        return new ArrayList<>(last.values());
    }
}
