package io.distributionlock.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Each promise of docs/guarantees.md says when it does not hold, names proofs that run, and has a number. */
class GuaranteesTest {

    private static final Page PAGE = Page.of("docs/guarantees.md");
    private static final Proofs PROOFS = new Proofs();

    private static List<String> problems(Page page) {
        List<String> problems = new ArrayList<>();
        for (Guarantee guarantee : Guarantee.on(page, problems)) {
            if (guarantee.proofs().isEmpty()) {
                problems.add("'" + guarantee.heading() + "' has no proof");
            }
            for (String proof : guarantee.proofs()) {
                PROOFS.problemWith(proof).ifPresent(wrong -> problems.add("'" + guarantee.heading() + "': " + wrong));
            }
            if (guarantee.except().isBlank()) {
                problems.add("'" + guarantee.heading() + "' does not say when it does not hold");
            }
            if (!guarantee.number().matches(".*\\d.*")) {
                problems.add("'" + guarantee.heading() + "' has no number");
            }
        }
        return problems;
    }

    @Test
    void eachPromiseHasItsExceptionsItsProofAndItsNumber() {
        assertThat(problems(PAGE)).isEmpty();
        assertThat(Guarantee.on(PAGE, new ArrayList<>())).hasSizeGreaterThan(15);
    }

    /**
     * What runs have counted: the sum of a column of the raw figures, in those rows whose columns begin so.
     */
    @ParameterizedTest(name = "{0}: {2}, {3}")
    @CsvSource({
        "One holder, docs/faults/cells.csv, granted, server=redis-7 library=distribution-lock",
        "One holder, docs/faults/cells.csv, overlaps-by-lease, server=redis-7 library=distribution-lock",
        "One holder, docs/faults/cells.csv, episodes, server=redis-7 library=distribution-lock",
        "One holder, docs/faults/cells.csv, episodes-of-redis, server=redis-7 library=distribution-lock",
        "Failover, docs/faults/cells.csv, episodes, server=redis-7 library=distribution-lock fault=sentinel",
        "Failover, docs/faults/cells.csv, episodes-of-redis, server=redis-7 library=distribution-lock fault=sentinel",
        "Failover, docs/faults/cells.csv, episodes, server=redis-7 library=distribution-lock fault=split",
        "Failover, docs/faults/cells.csv, episodes-of-redis, server=redis-7 library=distribution-lock fault=split",
        "Acknowledged by replicas, docs/faults/cells.csv, episodes, server=redis-7 library=replica-acks fault=sentinel",
        "Acknowledged by replicas, docs/faults/cells.csv, episodes, server=redis-7 library=replica-acks fault=split",
        "Quorum, docs/faults/cells.csv, broken-episodes, server=redis-7 library=quorum fault=node-flushed",
        "Quorum, docs/faults/cells.csv, episodes, server=redis-7 library=quorum fault=node-flushed",
        "Told of a loss, docs/faults/cells.csv, overtaken, server=redis-7 library=distribution-lock",
        "Told of a loss, docs/faults/cells.csv, told-late, server=redis-7 library=distribution-lock",
        "Told of a loss, docs/faults/cells.csv, untold, server=redis-7 library=distribution-lock",
        "Fencing tokens, docs/faults/cells.csv, tokens-inverted, server=redis-7 library=distribution-lock",
        "No stale commit, verification/fenced/2026-11-28/fenced.csv, lost updates, guard=database",
        "No stale commit, verification/fenced/2026-11-28/fenced.csv, episodes, guard=database",
        "No stale commit, verification/fenced/2026-11-28/fenced.csv, lost updates, guard=local",
        "Rollback after a loss, verification/fenced/2026-11-28/fenced.csv, lost updates, guard=none",
        "Rollback after a loss, verification/fenced/2026-11-28/fenced.csv, lost updates, guard=local",
        "Rollback after a loss, verification/fenced/2026-11-28/fenced.csv, lost updates, guard=remote"
    })
    void theNumbersAreThoseOfTheRuns(String heading, String file, String column, String where) throws IOException {
        List<String> values = column(Page.project().resolve(file), column, where.split(" "));
        long counted = values.stream().mapToLong(Long::parseLong).sum();
        assertThat(values).as("rows of %s with %s", file, where).isNotEmpty();
        assertThat(Guarantee.on(PAGE, new ArrayList<>()))
                .filteredOn(guarantee -> guarantee.heading().equals(heading))
                .singleElement()
                .extracting(Guarantee::number)
                .asString()
                .as("the number of '%s', the sum of %s with %s in %s", heading, column, where, file)
                .containsPattern("(?<![\\d,])" + String.format(Locale.ROOT, "%,d", counted) + "(?!\\d|,\\d)");
    }

    @Test
    void theNumbersOfStatesAreThoseOfTheSpecification() throws IOException {
        String configurations =
                Files.readString(Page.project().resolve("verification/specification/configurations.txt"));
        assertThat(Guarantee.on(PAGE, new ArrayList<>()))
                .map(Guarantee::number)
                .filteredOn(number -> number.endsWith(" states"))
                .isNotEmpty()
                .allSatisfy(number -> assertThat(configurations).contains("→ " + number.replace(" states", "") + "\n"));
    }

    private static List<String> column(Path file, String column, String[] conditions) throws IOException {
        List<String> rows = Files.readAllLines(file);
        List<String> names = Arrays.asList(rows.get(0).split(","));
        assertThat(names).contains(column);
        return rows.stream()
                .skip(1)
                .map(row -> row.split(","))
                .filter(cells -> Stream.of(conditions).allMatch(condition -> {
                    String[] sides = condition.split("=");
                    return cells[names.indexOf(sides[0])].startsWith(sides[1]);
                }))
                .map(cells -> cells[names.indexOf(column)])
                .toList();
    }

    // ------------------------------------------------------------------ what the test finds

    private static List<String> problemsOf(String... lines) {
        return problems(new Page("promises.md", List.of(lines)));
    }

    private static List<String> problemsWithProof(String proof) {
        return problemsOf(
                "# Promises",
                "## Waiting",
                "### Order",
                "",
                "First come, first served.",
                "",
                "- **Except:** never.",
                "- **Proof:** " + proof,
                "- **Number:** 3 s");
    }

    @Test
    void aPromiseWithoutProofIsFound() {
        assertThat(problemsWithProof("`InTurn`, `FairnessContract`")).isEmpty();
        assertThat(problemsWithProof("everybody knows")).containsExactly("'Order' has no proof");
        assertThat(problemsOf("### Order", "First come, first served.", "- **Except:** never.", "- **Number:** 3 s"))
                .anySatisfy(problem -> assertThat(problem).contains("'Order' has no point '- **Proof:**'"));
    }

    @Test
    void aSentenceBesideThePromisesIsFound() {
        assertThat(problemsOf("## Waiting", "", "Nobody ever waits in vain."))
                .containsExactly("promises.md:3: a sentence that is no promise with a proof");
        assertThat(problemsOf(
                        "### Order",
                        "First come, first served.",
                        "- **Except:** never.",
                        "- **Proof:** `InTurn`",
                        "- **Number:** 3 s",
                        "",
                        "Nobody ever waits in vain."))
                .containsExactly(
                        "promises.md:1: a sentence that is no promise with a proof: Nobody ever waits in vain.");
    }

    @ParameterizedTest
    @CsvSource({
        "FairnesContract, there is no test FairnesContract in a module that Maven builds",
        "ReentryContract.noSuchTest, ReentryContract has no test noSuchTest",
        "InTurns, the specification has no property InTurns",
        "Detach, no configuration checks Detach"
    })
    void aProofThatDoesNotExistOrDoesNotRunIsFound(String proof, String problem) {
        assertThat(problemsWithProof("`" + proof + "`")).containsExactly("'Order': " + problem);
    }

    @Test
    void otherPagesPointHere() {
        assertThat(Stream.of(
                        "README.md", "README.zh-CN.md", "docs/README.md", "docs/behaviour.md", "docs/never-twice.md"))
                .allSatisfy(page ->
                        assertThat(String.join("\n", Page.of(page).lines())).contains("guarantees.md"));
    }
}
