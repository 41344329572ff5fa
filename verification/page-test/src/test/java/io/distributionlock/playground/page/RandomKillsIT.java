package io.distributionlock.playground.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserType;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Playwright;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Instances and servers are killed at random moments of runs. The page's verdict must follow from the answers and the database: nothing
 * is held against the lock that they do not show, and nothing is called correct that was not seen.
 *
 * <p>{@code -Dkills.rounds=N} makes N rounds, {@code -Dkills.seed=N} begins with that seed, {@code -Dkills.minutes=N} ends them then.
 */
class RandomKillsIT {

    private static final int ROUNDS = Integer.getInteger("kills.rounds", 10);
    private static final long FIRST_SEED = Long.getLong("kills.seed", System.currentTimeMillis() % 1_000_000);
    private static final Duration AT_MOST = Duration.ofMinutes(Integer.getInteger("kills.minutes", 15));
    private static final Duration GENEROUS = Duration.ofMinutes(5);

    /** Asks a server of the playground as its page does. */
    private static final String ASK = """
            async ([method, path]) => {
              const answer = await fetch('v1/' + path, { method, headers: { 'X-Playground-Page': 'yes' } });
              return (await answer.json()).data;
            }""";

    private static final Set<String> BUSY_ON_PURPOSE = Set.of("order-status", "scheduled-job");

    /** Answers of a scenario that say no for a good reason. */
    private static final Set<String> IN_ORDER = Set.of("0", "11", "12", "13", "14", "21");

    private static final List<String> SCENARIOS = List.of(
            "flash-sale",
            "flash-sale",
            "order-status",
            "takeover",
            "three-masters",
            "catalogue",
            "scheduled-job",
            "default-address",
            "fair-queue",
            "transfer");

    private static PackagedPlayground playground;
    private static Playwright playwright;
    private static Browser browser;

    private final Map<String, Integer> counts = new TreeMap<>();

    enum Kill {
        NOTHING,
        INSTANCE,
        INSTANCE_OUTSIDE_OF_THE_PAGE,
        REDIS,
        REDIS_FOR_A_MOMENT,
        MASTERS
    }

    @BeforeAll
    static void start() {
        playground = PackagedPlayground.startImpatient();
        playwright = Playwright.create();
        browser = playwright
                .chromium()
                .launch(new BrowserType.LaunchOptions()
                        .setExecutablePath(Path.of(System.getProperty("browser.executable")))
                        .setArgs(List.of("--no-sandbox")));
    }

    @AfterAll
    static void stop() {
        browser.close();
        playwright.close();
        playground.close();
    }

    @Test
    void theVerdictFollowsFromTheAnswersAndTheDatabase() {
        long end = System.nanoTime() + AT_MOST.toNanos();
        int rounds = 0;
        while (rounds < ROUNDS && System.nanoTime() < end) {
            long seed = FIRST_SEED + rounds++;
            try {
                round(seed);
            } catch (RuntimeException | AssertionError failed) {
                throw new AssertionError("Round of seed " + seed + ", after " + counts, failed);
            }
        }
        System.out.println(rounds + " rounds from seed " + FIRST_SEED + ": " + counts);
        assertThat(rounds).isPositive();
    }

    private void round(long seed) {
        Random random = new Random(seed);
        String scenario = SCENARIOS.get(random.nextInt(SCENARIOS.size()));
        Kill kill = Kill.values()[random.nextInt(Kill.values().length)];
        if (scenario.equals("three-masters") && kill != Kill.NOTHING) {
            kill = random.nextBoolean() ? Kill.MASTERS : Kill.INSTANCE;
        }
        try (Page page = browser.newPage()) {
            page.setDefaultTimeout(GENEROUS.toMillis());
            page.navigate(playground.address() + "?lang=en&scenario=" + scenario);
            makeWhole(page);
            page.locator("#both").uncheck();
            page.locator("#requests").fill(String.valueOf(6 + random.nextInt(25)));
            page.locator("#fire").press("Enter");
            page.waitForFunction("() => window.latestRun !== undefined");
            pause(random.nextInt(random.nextBoolean() ? 400 : 2_500));
            Map<?, ?> redis = data(page, "GET", "redis");
            kill(page, kill, random);
            await("the verdict").atMost(GENEROUS).until(() -> {
                String state = page.locator("#locked").getAttribute("data-state");
                return state != null && !state.equals("open");
            });
            await("the end of the run")
                    .atMost(GENEROUS)
                    .until(() ->
                            page.locator("#fire").getAttribute("aria-disabled").equals("false"));
            String verdict = page.locator("#locked").getAttribute("data-state");
            boolean redisIsTheSame = String.valueOf(redis.get("process"))
                    .equals(String.valueOf(data(page, "GET", "redis").get("process")));
            judge(page, seed, scenario, kill, verdict, redisIsTheSame);
        }
    }

    private void judge(Page page, long seed, String scenario, Kill kill, String verdict, boolean redisIsTheSame) {
        Map<?, ?> burst = data(page, "GET", "bursts/" + page.evaluate("window.latestRun"));
        Map<?, ?> answers = (Map<?, ?>) burst.get("answers");
        List<?> facts = burst.get("facts") instanceof List<?> all ? all : List.of();
        int failed = ((Number) burst.get("failed")).intValue();
        boolean allHold = burst.get("facts") != null
                && facts.stream().allMatch(fact -> Boolean.TRUE.equals(((Map<?, ?>) fact).get("holds")));
        boolean allServed = failed == 0
                && answers.keySet().stream()
                        .map(String::valueOf)
                        .allMatch(code ->
                                IN_ORDER.contains(code) || code.equals("1") && BUSY_ON_PURPOSE.contains(scenario));
        String what = "seed " + seed + ", " + scenario + ", killed: " + kill + ", verdict " + verdict + ", answers "
                + answers + ", failed " + failed + ", facts " + facts + "\n"
                + page.locator("#locked").innerText();
        System.out.println(what.lines().findFirst().orElseThrow());
        counts.merge(kill + (allServed && allHold ? ", all well: " : ", not all served: ") + verdict, 1, Integer::sum);
        // The lock works: no run of it may be called wrong, unless Redis has lost its data.
        assertThat(verdict).as(what).isNotIn("wrong", "overlapped", "unread");
        if (redisIsTheSame) {
            assertThat(verdict).as(what).isNotEqualTo("forgotten");
        }
        if (allServed && allHold && !verdict.equals("forgotten")) {
            assertThat(verdict).as(what).isIn("right", "unseen");
        }
        if (verdict.equals("right")) {
            assertThat(allServed && allHold).as(what).isTrue();
        }
        // That scenario kills an instance itself.
        if (kill == Kill.NOTHING && !scenario.equals("takeover")) {
            assertThat(verdict).as(what).isNotIn("losses", "unseen", "forgotten", "nothing");
        }
        assertThat(page.locator("#locked .numbers dd").allTextContents())
                .as("nobody waits for a takeover any longer: %s", what)
                .doesNotContain("…");
    }

    private static void kill(Page page, Kill kill, Random random) {
        switch (kill) {
            case NOTHING -> {}
            case INSTANCE -> page.evaluate("document.querySelector('#instance-kill')?.click()");
            case INSTANCE_OUTSIDE_OF_THE_PAGE ->
                playground
                        .children()
                        .filter(child -> child.info().command().orElse("").contains("java"))
                        .forEach(ProcessHandle::destroyForcibly);
            case REDIS -> page.evaluate("document.querySelector('#redis-button[aria-label^=Kill]')?.click()");
            case REDIS_FOR_A_MOMENT -> {
                data(page, "POST", "redis/kill");
                pause(random.nextInt(1_000));
                data(page, "POST", "redis/start");
            }
            case MASTERS -> {
                int count = 1 + random.nextInt(3);
                for (int i = 0; i < count; i++) {
                    page.evaluate("document.querySelector('.master [data-what=kill]')?.click()");
                    pause(random.nextInt(300));
                }
            }
        }
    }

    /** Two instances, Redis and the masters are up, and all masters count. */
    private static void makeWhole(Page page) {
        page.evaluate(
                "(() => { const fetched = window.fetch; window.fetch = async (...all) => { const answer = await fetched(...all);"
                        + " if (String(all[0]).includes('v1/bursts?')) { window.latestRun = (await answer.clone().json()).data?.run; }"
                        + " return answer; }; })()");
        data(page, "POST", "redis/start");
        for (Object master : list(page, "masters")) {
            if (!Boolean.TRUE.equals(((Map<?, ?>) master).get("up"))) {
                data(page, "POST", "masters/" + ((Map<?, ?>) master).get("port") + "/start");
            }
        }
        await("masters that count")
                .atMost(GENEROUS)
                .until(() -> list(page, "masters").stream()
                        .allMatch(master -> ((Number) ((Map<?, ?>) master).get("countsInSeconds")).intValue() == 0));
        await("two instances").atMost(GENEROUS).until(() -> {
            if (list(page, "instances").size() >= 2
                    && data(page, "GET", "instances/second").get("phase").equals("RUNNING")) {
                return true;
            }
            data(page, "POST", "instances");
            return false;
        });
        // The locks are back in service.
        await("a lock")
                .atMost(GENEROUS)
                .until(() -> Boolean.TRUE.equals(data(page, "GET", "redis").get("up")));
    }

    private static Map<?, ?> data(Page page, String method, String path) {
        return page.evaluate(ASK, List.of(method, path)) instanceof Map<?, ?> map ? map : Map.of();
    }

    private static List<?> list(Page page, String path) {
        return page.evaluate(ASK, List.of("GET", path)) instanceof List<?> list ? list : List.of();
    }

    private static void pause(long millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
