package io.distributionlock.rack;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/** A history in the format that verification/judge/README.md describes, a JSON object a line, for judges that know nothing of the rack. */
final class HistoryFile {

    private final History history;
    private final long begin;
    private final List<String> lines = new ArrayList<>();

    private HistoryFile(History history) {
        this.history = history;
        this.begin = Stream.of(
                        history.attempts().stream().mapToLong(attempt -> attempt.called),
                        history.windows().stream().mapToLong(History.Window::from))
                .flatMapToLong(LongStream::distinct)
                .min()
                .orElse(0);
    }

    static List<String> lines(History history) {
        HistoryFile file = new HistoryFile(history);
        int number = 0;
        for (Attempt attempt : history.attempts()) {
            file.add(attempt, ++number);
        }
        history.windows().forEach(file::add);
        return file.lines;
    }

    static void write(History history, Path file) {
        try {
            Files.createDirectories(file.getParent());
            Files.write(file, lines(history));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void add(Attempt attempt, int number) {
        String who =
                "\"section\":%d,\"process\":%d,\"thread\":\"%s\"".formatted(number, attempt.process, attempt.thread);
        String result = attempt.wasGranted() ? "ok" : attempt.failed ? "failed" : attempt.answered != 0 ? "busy" : "";
        if (result.equals("busy")) {
            lines.add("{%s,\"op\":\"acquire\",\"invoke\":%d,\"return\":%d,\"result\":\"busy\"}"
                    .formatted(who, time(attempt.called), time(attempt.answered)));
            return;
        }
        lines.add("{%s,\"op\":\"acquire\",\"invoke\":%d%s%s%s%s}"
                .formatted(
                        who,
                        time(attempt.called),
                        field("return", attempt.wasGranted() ? attempt.entered : attempt.answered),
                        result.isEmpty() ? "" : ",\"result\":\"" + result + "\"",
                        field("lease", attempt.leaseUntil),
                        attempt.token == 0 ? "" : ",\"token\":" + attempt.token));
        if (attempt.wasGranted()) {
            lines.add("{%s,\"op\":\"told\",\"at\":%d}".formatted(who, time(attempt.lastTold)));
        }
        if (attempt.toldLost != 0) {
            lines.add("{%s,\"op\":\"lost\",\"at\":%d}".formatted(who, time(attempt.toldLost)));
        }
        if (attempt.isDead) {
            lines.add("{%s,\"op\":\"died\",\"at\":%d}".formatted(who, time(attempt.left)));
        } else if (attempt.left != 0) {
            lines.add("{%s,\"op\":\"release\",\"invoke\":%d%s%s}"
                    .formatted(
                            who,
                            time(attempt.left),
                            field("return", attempt.releaseAnswered),
                            attempt.release == null
                                    ? ""
                                    : ",\"result\":\"" + attempt.release.name().toLowerCase(Locale.ROOT) + "\""));
        }
    }

    private void add(History.Window window) {
        lines.add("{\"op\":\"%s\"%s,\"invoke\":%d,\"return\":%d}"
                .formatted(
                        window.kind().name().toLowerCase(Locale.ROOT),
                        window.process() < 0 ? "" : ",\"process\":" + window.process(),
                        time(window.from()),
                        time(window.to())));
    }

    private String field(String name, long at) {
        return at == 0 ? "" : ",\"%s\":%d".formatted(name, time(at));
    }

    private long time(long at) {
        return at - begin;
    }
}
