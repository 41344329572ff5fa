package io.distributionlock.redis;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.core.io.Resource;
import org.springframework.core.io.support.PathMatchingResourcePatternResolver;

@Tag("server")
@Tag("boot4")
class RedisRightsTest {

    /** Directly, or by a function that repeats what a full memory refuses. */
    private static final Pattern CALL = Pattern.compile("(?:redis\\.p?call\\(|write(?:_for)?\\(.*?, )'([A-Z]+)'");

    /** What a client sends by itself; {@code LeastPrivilegeContractTest} shows that it is enough. */
    private static final Set<String> OF_THE_CLIENT =
            Set.of("+evalsha", "+eval", "+subscribe", "+unsubscribe", "+ping", "+hello", "+select");

    @Test
    void theRuleAllowsEachCommandOfTheScriptsAndNoOther() throws IOException {
        Set<String> allowed =
                new TreeSet<>(Arrays.asList(RedisAcl.rule("distribution-lock").split(" ")));
        allowed.removeIf(word -> !word.startsWith("+") || OF_THE_CLIENT.contains(word));
        assertThat(allowed).isEqualTo(commandsOfTheScripts());
    }

    @Test
    void theCheckAtTheStartTriesEachCommandOfTheScriptsAndNoOther() throws IOException {
        Set<String> tried = commandsOf("commands.lua"::equals);
        assertThat(tried).isEqualTo(commandsOf(script -> !script.equals("commands.lua")));
    }

    private static Set<String> commandsOfTheScripts() throws IOException {
        Set<String> commands = commandsOf(script -> !script.equals("commands.lua"));
        assertThat(commands).hasSizeGreaterThan(10);
        // For the age of a node of a quorum, if a delay is set; docs/operations.md says so.
        commands.remove("+info");
        return commands;
    }

    private static Set<String> commandsOf(Predicate<String> scripts) throws IOException {
        Set<String> commands = new TreeSet<>();
        for (Resource script : new PathMatchingResourcePatternResolver()
                .getResources("classpath*:io/distributionlock/redis/**/*.lua")) {
            if (scripts.test(String.valueOf(script.getFilename()))) {
                CALL.matcher(script.getContentAsString(StandardCharsets.UTF_8))
                        .results()
                        .forEach(call -> commands.add("+" + call.group(1).toLowerCase(Locale.ROOT)));
            }
        }
        return commands;
    }

    @Test
    void keysAndChannelsBeginWithThePrefix() {
        assertThat(RedisAcl.rule("shop")).startsWith("~shop:{* resetchannels &shop:wake:* -@all ");
    }
}
