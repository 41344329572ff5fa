package io.distributionlock.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributionlock.testing.RedisProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * The commands on the pages name modules and tests that exist, and those for Redis are run. The sample has a test of its own for
 * those that ask it.
 */
class CommandTest {

    private static final Pattern WRAPPER_CALL = Pattern.compile("\\./mvnw[^`\\n]*");
    private static final Pattern MODULES = Pattern.compile("(?:-pl|--projects)[ =](\\S+)");
    private static final Pattern TESTS = Pattern.compile("-D(?:it\\.)?test=(\\w+)");
    private static final Pattern PROFILES = Pattern.compile("-P ?(\\w+)");
    private static final Pattern WORD = Pattern.compile("'([^']*)'|(\\S+)");

    private static final Pattern NAMED_TEST = Pattern.compile("`([A-Z][a-z]\\w*(?:Test|IT|Contract))`");

    /** What stands for whatever the reader puts there. */
    private static final Set<String> PLACEHOLDERS = Set.of("MODULE", "NameOfTest", "NameIT", "none");

    private static List<String> wrapperCalls() {
        return LinkTest.pages().stream()
                .flatMap(page -> page.lines().stream())
                .flatMap(line -> WRAPPER_CALL.matcher(line).results().map(result -> result.group()))
                .toList();
    }

    private static Set<String> namedBy(Pattern pattern) {
        Set<String> names = wrapperCalls().stream()
                .flatMap(call -> pattern.matcher(call).results())
                .flatMap(result -> Arrays.stream(result.group(1).split(",")))
                .collect(Collectors.toCollection(HashSet::new));
        names.removeAll(PLACEHOLDERS);
        return names;
    }

    @Test
    void everyCallOfTheWrapperNamesModulesThatExist() {
        assertThat(namedBy(MODULES))
                .hasSizeGreaterThan(2)
                .allSatisfy(module -> assertThat(Page.project().resolve(module).resolve("pom.xml"))
                        .exists());
    }

    @Test
    void everyCallOfTheWrapperNamesTestsThatExist() {
        assertThat(namedBy(TESTS)).isNotEmpty().isSubsetOf(Page.testsOfTheProject());
    }

    @Test
    void everyTestThatProvesWhatAPageSaysExists() {
        assertThat(LinkTest.pages().stream()
                        .flatMap(page -> page.lines().stream())
                        .flatMap(line -> NAMED_TEST.matcher(line).results().map(test -> test.group(1))))
                .hasSizeGreaterThan(20)
                .isSubsetOf(Page.testsOfTheProject());
    }

    @Test
    void everyCallOfTheWrapperNamesProfilesThatExist() throws IOException {
        String pom = Files.readString(Page.project().resolve("pom.xml"));
        assertThat(namedBy(PROFILES))
                .isNotEmpty()
                .allSatisfy(profile -> assertThat(pom).containsPattern("<id>" + profile + "</id>"));
    }

    @Test
    void redisUnderstandsTheCommandsOnThePages() {
        List<String> commands = new ArrayList<>();
        for (Page page : LinkTest.pages()) {
            page.lines().stream()
                    .filter(line -> line.startsWith("redis-cli ") || line.matches("(GET|PTTL|ZRANGE) .*"))
                    .forEach(commands::add);
        }
        assertThat(commands).hasSizeGreaterThan(3);
        try (RedisProcess redis = RedisProcess.start()) {
            // An error of Redis is thrown.
            commands.forEach(command -> redis.command(words(command)));
        }
    }

    private static String[] words(String command) {
        String rights = OperationsPageTest.rights().stream()
                .filter(right -> !right.startsWith("~"))
                .collect(Collectors.joining(" "));
        String told = command.replaceFirst(" +#.*", "")
                .replaceFirst("^redis-cli ", "")
                .replace("…the rest of the rule", rights);
        return WORD.matcher(told)
                .results()
                .map(word -> word.group(1) == null ? word.group(2) : word.group(1))
                .toArray(String[]::new);
    }
}
