package io.distributionlock.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * The sources, scripts, pages and specifications speak of locks as others do who know Redis, raft or Spring. These words did not, and must
 * not come back.
 */
class WordsTest {

    private static final Path PROJECT = Path.of("..");

    /** Numbers that were measured once keep the words of their time. */
    private static final Pattern MEASURED = Pattern.compile("docs/(?:benchmarks/\\d.*|faults/.*)");

    private static final Pattern TEXT = Pattern.compile(".*\\.(?:java|kt|kts|lua|tla|md|txt|js|yml|imports)");

    private static final Set<String> FOREIGN_FOLDERS = Set.of("target", "node_modules", ".git", ".mvn");

    private static final List<Word> OLD = List.of(
            new Word("\\w*[Bb]iddings?\\b", "heartbeat entry"),
            new Word("(?<![Hh]eart)Beats?(?![a-z])|\\bbeats?(?![a-z])", "heartbeat"),
            new Word("(?i)\\bbur(?:y|ies|ied|ial)\\b|\\w*Bur(?:y|ies|ied|ial)\\b", "tombstone"),
            new Word("(?i)\\blinger(?:s|ing|ed)?\\b", "retry after the answer"),
            new Word("(?i)\\blate cop(?:y|ies)\\b", "duplicate"),
            new Word("(?i)\\binquir(?:e|es|ed|y|ies|ing)\\b|\\w*Inquir(?:e|y|ed)\\w*", "owner probe"),
            new Word("(?i)\\blive[ -]?window\\b|\\w*liveWindow\\w*|live_window", "liveness timeout"),
            new Word("\\bkept:(?=[<a-z])", "min-hold:"),
            new Word("(?i)\\b(?:un)?guarded (?:owner|key|claim)\\b|\\bIsGuarded\\b", "contended"),
            new Word(
                    "(?i)\\bplain (?:owner|acquire|release)s?\\b|\\b(?:acquire|release)Plain\\w*|\\bPlainReleases?\\b",
                    "uncontended"),
            new Word(
                    "'\\\\n(?:undone|untold)|\\bScriptDuties\\b|\\b[Dd]uties\\b",
                    "has more, outbox, follow-up commands"),
            new Word("\\bSingleLines?\\b", "request queue"),
            new Word("\\bConnectionTrust\\b|(?i)\\bdistrust(?:s|ed)?\\b", "fast path gate"),
            new Word("(?i)\\bobstacles?\\b", "diagnosis"),
            new Word("(?i)\\bcures?\\b", "action"),
            new Word("\\bMessageWay\\b|\\bReleaseWay\\b", "transport, mode"),
            new Word("(?i)\\breception\\b", "capability"),
            new Word("(?i)\\bnumbering\\b", "token draw"),
            new Word("(?i)\\bcandidac(?:y|ies)\\b", "leader candidate"),
            new Word(
                    "\\b(?:PlannedLock|DeclaredLock|LockedMethods?|LockedCall|RefusedCall|RefusedLock)\\b",
                    "operation, metadata, attempt or invocation"),
            // LONGEST_FREE is a column of measured files.
            new Word("\\b(?!LONGEST_FREE)(?:MOST|LONGEST|DEEPEST)(?:_[A-Z_]+)?\\b", "MAX"),
            new Word("\\bSHORTEST(?:_[A-Z_]+)?\\b", "MIN"),
            new Word("\\bTheirs\\.|\\bWhoever\\b|\\bas of now\\b", "a sentence with a subject"));

    /** A word of this project alone, and the one that the field has for it. */
    private record Word(Pattern old, String instead) {

        Word(String old, String instead) {
            this(Pattern.compile(old), instead);
        }
    }

    @Test
    void everyPageSourceAndScriptUsesTheWordsOfTheField() throws IOException {
        List<String> found = new ArrayList<>();
        List<Path> files = files();
        files.forEach(file -> found.addAll(oldWordsOf(file)));
        assertThat(found).isEmpty();
        // It would find nothing in other folders, either.
        assertThat(files.stream().map(WordsTest::nameOf))
                .contains("lock.lua", "LockProtocol.tla", "protocol.md", "LockTemplate.java", "configurations.txt");
    }

    @Test
    void anOldWordIsFoundWhereItStands() {
        assertThat(oldWordsIn("the claim lingers", "a.lua", 7))
                .containsExactly("a.lua:7 has 'lingers': use retry after the answer");
        assertThat(oldWordsIn("if verb == 'beat' then", "a.lua", 1)).hasSize(1);
        assertThat(oldWordsIn("LONGEST_WAIT and the live window", "A.java", 1)).hasSize(2);
        assertThat(oldWordsIn("the heartbeat of a secure, plain String", "A.java", 1))
                .isEmpty();
    }

    private static List<Path> files() throws IOException {
        List<Path> files = new ArrayList<>();
        Files.walkFileTree(PROJECT, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
                return FOREIGN_FOLDERS.contains(nameOf(folder))
                        ? FileVisitResult.SKIP_SUBTREE
                        : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                String relative = PROJECT.relativize(file).toString().replace('\\', '/');
                if (TEXT.matcher(relative).matches()
                        && !MEASURED.matcher(relative).matches()
                        && !relative.endsWith("/WordsTest.java")) {
                    files.add(file);
                }
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path file, IOException e) {
                // A test of another module may have deleted its own file meanwhile.
                return FileVisitResult.CONTINUE;
            }
        });
        return files;
    }

    private static String nameOf(Path path) {
        Path name = path.getFileName();
        return name == null ? "" : name.toString();
    }

    private static List<String> oldWordsOf(Path file) {
        List<String> found = new ArrayList<>();
        try {
            int number = 0;
            for (String line : Files.readString(file).split("\n", -1)) {
                found.addAll(oldWordsIn(line, PROJECT.relativize(file).toString(), ++number));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return found;
    }

    private static List<String> oldWordsIn(String line, String file, int number) {
        List<String> found = new ArrayList<>();
        for (Word word : OLD) {
            word.old()
                    .matcher(line)
                    .results()
                    .forEach(hit ->
                            found.add(file + ":" + number + " has '" + hit.group() + "': use " + word.instead()));
        }
        return found;
    }
}
