package io.distributionlock.playground;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.test.context.ContextConfiguration;

/** The commands of the README do what it says, with the default settings. */
@SpringBootTest(
        webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT,
        properties = {"playground.instance=test", "spring.datasource.url=jdbc:h2:mem:readme-commands;DB_CLOSE_DELAY=-1"
        })
@ContextConfiguration(initializers = OwnRedis.class)
class ReadmeCommandsTest {

    private static final Pattern CURL =
            Pattern.compile("curl (?:-X (\\w+) )?'?localhost:8080/api(/[^' ]+)'?(?: -H 'Accept-Language: (\\w+)')?");

    @LocalServerPort
    private int port;

    private record Command(String method, String pathAndQuery, String... headers) {

        static List<Command> of(String readme) throws IOException {
            return Files.readAllLines(Path.of("..", readme)).stream()
                    .map(CURL::matcher)
                    .filter(Matcher::matches)
                    .map(curl -> new Command(
                            curl.group(1) == null ? "GET" : curl.group(1),
                            curl.group(2),
                            curl.group(3) == null ? new String[0] : new String[] {"Accept-Language", curl.group(3)}))
                    .toList();
        }

        Answer send(int port) {
            return Answer.to(method, port, pathAndQuery, headers);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "README.md,       unshipped, Order status updated, Busy; try again later",
        "README.zh-CN.md, 未发货,    修改订单状态成功,        业务处理繁忙，请稍后重试"
    })
    void theOrdersAreListedAndOneIsChangedOnceAtATime(String readme, String status, String updated, String busy)
            throws IOException {
        List<Command> commands = Command.of(readme);
        assertThat(commands).hasSize(2);
        assertThat(commands.get(0).send(port))
                .matches(Answer::isDone, "done")
                .satisfies(orders -> assertThat(orders.body()).contains(status));

        Command update = commands.get(1);
        // The first call connects to Redis.
        await().atMost(Duration.ofSeconds(30)).until(() -> update.send(port).isDone());
        List<Answer> both = Answer.allOfReachableRedis(() -> sendTwice(update));
        Answer winner = both.get(0).isDone() ? both.get(0) : both.get(1);
        Answer other = both.get(0).isDone() ? both.get(1) : both.get(0);

        String page = Files.readString(Path.of("..", readme));
        assertThat(winner.message()).isEqualTo(updated).isSubstringOf(page);
        assertThat(winner.took()).isGreaterThanOrEqualTo(Duration.ofSeconds(3));
        assertThat(other.message()).isEqualTo(busy).isSubstringOf(page);
        assertThat(other.took()).isGreaterThanOrEqualTo(Duration.ofMillis(900));
    }

    private List<Answer> sendTwice(Command command) {
        CompletableFuture<Answer> first = CompletableFuture.supplyAsync(() -> command.send(port));
        CompletableFuture<Answer> second = CompletableFuture.supplyAsync(() -> command.send(port));
        return List.of(first.join(), second.join());
    }
}
