package io.distributionlock.docs;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import io.distributionlock.LockExecutor;
import io.distributionlock.LockKind;
import io.distributionlock.backend.EngineSettings;
import io.distributionlock.backend.InstanceName;
import io.distributionlock.local.LocalLockExecutor;
import io.distributionlock.quorum.QuorumLockExecutor;
import io.distributionlock.quorum.QuorumNode;
import io.distributionlock.quorum.QuorumSettings;
import io.distributionlock.redis.RedisLockExecutor;
import io.distributionlock.test.contract.LockExecutorContract;
import io.distributionlock.test.contract.LockKindsContract;
import io.distributionlock.testing.RedisConnections;
import io.distributionlock.testing.RedisProcess;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;

/** The table of executors is made from what they say of themselves, and from the contract tests that there are. */
class ExecutorsTableTest {

    private static final JavaClasses TESTS = new ClassFileImporter().importPackages("io.distributionlock");

    @Test
    void thePageHasTheTable() {
        Map<String, LockExecutor> executors = new LinkedHashMap<>();
        try (RedisProcess redis = RedisProcess.start()) {
            LettuceConnectionFactory factory = RedisConnections.to(redis.port());
            StringRedisTemplate template = new StringRedisTemplate(factory);
            EngineSettings settings = EngineSettings.standard(InstanceName.create());
            executors.put("redis", new RedisLockExecutor(template, "distribution-lock", settings));
            executors.put(
                    "quorum",
                    new QuorumLockExecutor(
                            List.of(new QuorumNode("one", template)),
                            QuorumSettings.STANDARD,
                            "distribution-lock",
                            EngineSettings.standard(InstanceName.create())));
            executors.put("local", new LocalLockExecutor());

            List<String> table = new ArrayList<>();
            table.add("| executor | " + kinds(LockKind::name) + " | contract tests |");
            table.add("|---|" + "---|".repeat(LockKind.values().length + 1));
            executors.forEach((name, executor) -> table.add(row(name, executor)));
            executors.values().forEach(executor -> executor.stop(Duration.ZERO));
            factory.destroy();

            List<String> page = Page.of("docs/topologies.md").section("## Executors and lock kinds");
            assertThat(page.stream().filter(line -> line.startsWith("|")))
                    .as("Put this into the page:\n%s", String.join("\n", table))
                    .containsExactlyElementsOf(table);
        }
    }

    private static String row(String name, LockExecutor executor) {
        List<String> contracts = contractTests(name, LockExecutorContract.class);
        List<String> ofKinds = contractTests(name, LockKindsContract.class);
        assertThat(contracts).as("contract tests of " + name).isNotEmpty();
        assertThat(ofKinds.isEmpty())
                .as(name + " is tried with the kinds that it has")
                .isEqualTo(executor.kinds().size() == 1);
        return "| `" + name + "` | " + kinds(kind -> executor.kinds().contains(kind) ? "yes" : "no") + " | "
                + Stream.concat(contracts.stream(), ofKinds.stream()).collect(Collectors.joining(", ")) + " |";
    }

    private static String kinds(Function<LockKind, String> text) {
        return Stream.of(LockKind.values()).map(text).collect(Collectors.joining(" | "));
    }

    private static List<String> contractTests(String room, Class<?> contract) {
        return TESTS.stream()
                .filter(type -> type.getPackageName().equals("io.distributionlock." + room))
                .filter(type -> type.isAssignableTo(contract) && type.isTopLevelClass())
                .map(type -> "`" + type.getSimpleName() + "`")
                .sorted()
                .toList();
    }
}
