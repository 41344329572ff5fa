package io.distributionlock.playground.page;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.BrowserType;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Playwright;
import com.microsoft.playwright.assertions.PlaywrightAssertions;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.BoundingBox;
import com.microsoft.playwright.options.ColorScheme;
import com.microsoft.playwright.options.ViewportSize;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The page in a real browser, with two instances of the playground. */
class PlaygroundPageIT {

    /** So long is waited for what the page shall show, in milliseconds: a busy machine needs more than the usual five seconds. */
    private static final double GENEROUS = 300_000;

    /** So many made-up runs are judged. */
    private static final int HISTORIES = 5_000;

    private static final ViewportSize WIDE = new ViewportSize(1280, 720);
    private static final ViewportSize PHONE = new ViewportSize(390, 844);

    /** Sums up what moves without being asked to: all of it, and what is not within half a second of a click. */
    private static final String WATCH_SHIFTS =
            "window.moved = 0; window.movedLate = 0; new PerformanceObserver(list => list.getEntries().forEach(shift => {"
                    + " window.moved += shift.value; window.movedLate += shift.hadRecentInput ? 0 : shift.value;"
                    + " })).observe({ type: 'layout-shift', buffered: true });";

    /** A greater cumulative layout shift is called in need of improvement from 0.1 on; nobody notices less than this. */
    private static final double STILL = .05;

    private static PackagedPlayground playground;
    private static Playwright playwright;
    private static Browser browser;

    private final List<String> complaints = new ArrayList<>();

    @BeforeAll
    static void start() {
        PlaywrightAssertions.setDefaultAssertionTimeout(GENEROUS);
        playground = PackagedPlayground.start();
        playwright = Playwright.create();
        browser = launch(playwright);
        List<String> complaintsAtStart = new ArrayList<>();
        try (BrowserContext first = browser.newContext()) {
            Page page = first.newPage();
            listenTo(page, complaintsAtStart);
            page.navigate(playground.root() + "?lang=en");
            assertThat(page.url()).as("where / leads").isEqualTo(playground.address() + "?lang=en");
            page.navigate(playground.root() + "api?lang=en");
            assertThat(page.url()).as("where /api leads").isEqualTo(playground.address() + "?lang=en");
            button(page, "Start a second instance").click();
            assertThat(page.locator(".instance[data-phase=STARTING]")).containsText("has been starting");
            assertThat(page.locator(".instance strong")).hasCount(2);
        }
        assertThat(complaintsAtStart).as("while the second instance started").isEmpty();
    }

    private static Browser launch(Playwright playwright) {
        return playwright
                .chromium()
                .launch(new BrowserType.LaunchOptions()
                        .setExecutablePath(Path.of(System.getProperty("browser.executable")))
                        // The sandbox needs rights that the user of a CI machine may not have.
                        .setArgs(List.of("--no-sandbox")));
    }

    @AfterAll
    static void stop() {
        List<ProcessHandle> children = ProcessHandle.of(playground.processId())
                .orElseThrow()
                .children()
                .toList();
        browser.close();
        playwright.close();
        playground.close();
        await("end of the second instance, once the first has ended")
                .atMost(Duration.ofMinutes(1))
                .until(() -> children.stream().noneMatch(ProcessHandle::isAlive));
    }

    @AfterEach
    void theBrowserReportsNoErrorsAndNothingHasMoved() {
        try {
            assertThat(complaints).isEmpty();
            assertThat(browser.contexts().stream()
                            .flatMap(context -> context.pages().stream())
                            .map(page -> page.evaluate("window.movedLate ?? 0")))
                    .as("layout shift of each page")
                    .allSatisfy(
                            shift -> assertThat(((Number) shift).doubleValue()).isLessThan(STILL));
        } finally {
            // An open page keeps polling, and would slow down the next test.
            browser.contexts().forEach(BrowserContext::close);
        }
    }

    @Test
    void onlyTheRunWithoutTheLockClashes() {
        Page page = open("?lang=en&scenario=flash-sale", WIDE, ColorScheme.LIGHT);
        double placeBefore = page.locator("#locked .scroll").boundingBox().y;
        fire(page, "Fire");

        Locator locked = panel(page, "#locked", "right");
        assertThat(locked.locator(".scroll").boundingBox().y)
                .as("place of the picture")
                .isEqualTo(placeBefore);
        assertThat(locked.locator(".facts li.holds")).hasCount(2);
        assertThat(locked.locator("rect.clash")).hasCount(0);
        assertThat(locked.locator(".timeline text.group")).hasCount(2);
        assertThat(locked.locator("rect.wait")).hasCount(30);
        assertThat(locked.locator("path.hand").count()).isGreaterThan(5);
        assertThat(locked.locator("text.token").first()).hasText(Pattern.compile("#\\d+"));
        assertThat(locked.locator("rect.work").count()
                        + locked.locator("text.unserved").count())
                .as("each request worked, or has a sign that it did not")
                .isEqualTo(30);

        Locator unlocked = panel(page, "#unlocked", "wrong");
        assertThat(scale(unlocked)).as("time scale").hasSizeGreaterThan(2).isEqualTo(scale(locked));
        assertThat(unlocked.locator("rect.clash").count()).isGreaterThan(5);
        assertThat(unlocked.locator(".facts li.broken").count()).isPositive();

        assertThat(page.locator("#message[role=status]"))
                .hasText("With the lock: all correct. Without the lock: overlapped, data wrong.");
        fitsInto(WIDE, page, "#fire", "#locked .verdict", "#unlocked .verdict", "#locked .scroll", "#unlocked .scroll");
        bothInstancesAreInSight(locked);
        bothInstancesAreInSight(unlocked);
        numbersStandInOneRow(locked);
        everyBarStandsOut(page);
        page.reload();
        panel(page, "#locked", "right");
        panel(page, "#unlocked", "wrong");
        assertThat(page.locator("#message"))
                .hasText("With the lock: all correct. Without the lock: overlapped, data wrong.");
        screenshot(page, "playground-light");
        assertThat(tokens(locked)).hasSizeGreaterThan(5).isSorted().doesNotHaveDuplicates();
    }

    @ParameterizedTest
    @CsvSource({
        "1280, 720, LIGHT, en, down: nobody gets a lock, nothing proved, 3 not served: ",
        "1280, 720, DARK, zh, 谁也拿不到锁, 未能验证, 3 个未被处理：",
        "390, 844, LIGHT, zh, 谁也拿不到锁, 未能验证, 3 个未被处理：",
        "360, 740, DARK, en, down: nobody gets a lock, nothing proved, 3 not served: ",
    })
    void withRedisKilledNothingIsDoneUntilItIsStartedAgain(
            int width, int height, ColorScheme scheme, String language, String down, String verdict, String cause) {
        Page page = open("?scenario=order-status&lang=" + language, new ViewportSize(width, height), scheme);
        Locator card = page.locator("#redis .card");
        assertThat(card).hasAttribute("data-state", "up");
        double heightBefore = card.boundingBox().height;
        page.locator("#redis-button").press("Enter");

        assertThat(card).hasAttribute("data-state", "down");
        assertThat(card).containsText(down);
        double heightAfter = card.boundingBox().height;
        isGrey(card);
        page.locator("#both").press("Space");
        page.locator("#requests").fill("3");
        page.locator("#fire").press("Enter");
        Locator locked = panel(page, "#locked", "nothing");
        assertThat(locked.locator(".verdict")).hasText(verdict);
        assertThat(locked.locator("rect.work")).hasCount(0);
        assertThat(locked.locator("li.cause")).hasCount(1);
        assertThat(locked.locator("li.cause")).containsText(cause);
        assertThat(locked.locator("text.unserved")).hasCount(3);
        assertThat(page.locator("#message")).containsText(verdict);
        nothingIsCutOff(page);
        nothingOverlaps(page);

        page.locator("#redis-button").press("Enter");
        assertThat(card).hasAttribute("data-state", "up");
        await("a run that is served").atMost(Duration.ofMinutes(3)).until(() -> {
            page.locator("#fire").press("Enter");
            assertThat(page.locator("#fire")).hasAttribute("aria-disabled", "false");
            return !verdict(page, "#locked").equals("nothing");
        });
        assertThat(heightAfter).as("height of the card of a dead Redis").isEqualTo(heightBefore);
    }

    @ParameterizedTest
    @CsvSource({
        "1280, 720, LIGHT, en, was killed",
        "390, 844, DARK, zh, 已被终止",
    })
    void aKilledInstanceIsMissedAndCanBeStartedAgain(
            int width, int height, ColorScheme scheme, String language, String killed) {
        Page page = open("?lang=" + language, new ViewportSize(width, height), scheme);
        page.locator("#instance-kill").press("Enter");

        Locator missing = page.locator(".instance.missing");
        assertThat(missing).containsText(killed);
        List<?> overlaps = overlaps(page);
        page.locator("#instance-secondStart").press("Enter");
        assertThat(page.locator(".instance strong")).hasCount(2);
        assertThat(page.locator(".instance.dead")).hasCount(0);
        // Not before: the other tests need two instances.
        assertThat(overlaps).as("what overlapped").isEmpty();
        nothingIsCutOff(page);
    }

    @Test
    void whenTheInstanceOfThePageEndsEveryPageTurnsGreyAndSaysSo() {
        List<Page> pages = new ArrayList<>();
        PackagedPlayground alone = PackagedPlayground.start();
        try (alone) {
            for (ViewportSize size : List.of(WIDE, PHONE)) {
                for (ColorScheme scheme : List.of(ColorScheme.LIGHT, ColorScheme.DARK)) {
                    Page page = browser.newContext(contextOf(size, scheme)).newPage();
                    page.navigate(alone.address() + (pages.size() % 3 == 0 ? "?lang=en" : "?lang=zh"));
                    assertThat(page.locator("#redis .card[data-state=up]")).hasCount(1);
                    pages.add(page);
                }
            }
            pages.get(0).locator("#instance-secondStart").click();
            assertThat(pages.get(0).locator(".instance[data-phase=STARTING]")).hasCount(1);
        }
        assertThat(alone.secondIsReady())
                .as("it waits until the second instance has started")
                .isFalse();
        for (Page page : pages) {
            assertThat(page.locator(".card.dead")).hasCount(2);
            page.locator(".card.dead").all().forEach(PlaygroundPageIT::isGrey);
            boolean isEnglish = page.url().contains("lang=en");
            assertThat(page.locator("#message.bad")).containsText(isEnglish ? "does not answer" : "没有响应");
            assertThat(page.locator("#redis .card")).containsText(isEnglish ? "no news" : "状态未知");
            nothingIsCutOff(page);
        }
    }

    @Test
    void theLeaderStepsDownAndTheOtherOneLeads() {
        Page page = open("?lang=en", WIDE, ColorScheme.LIGHT);
        Locator leader = page.locator(".instance", new Page.LocatorOptions().setHas(page.locator(".leads")));
        assertThat(leader).hasCount(1);
        String name = leader.getAttribute("data-name");
        long token = termOf(leader);

        page.locator("#instance-stepDown").click();

        // For a moment the page may show both, because it asks one instance after the other.
        assertThat(page.locator(".instance:not([data-name='" + name + "']) .leads"))
                .hasCount(1);
        assertThat(leader).hasCount(1);
        assertThat(termOf(leader)).isGreaterThan(token);
    }

    private static long termOf(Locator leader) {
        return Long.parseLong(leader.locator("li").first().textContent().replace("term · ", ""));
    }

    @Test
    void busyRequestsAreCountedAndMarked() {
        // A request whose waiting time ends while Redis pauses gets "unavailable" instead of "busy".
        Page page = firstRun(
                () -> {
                    Page latest = open("?lang=en&scenario=order-status", WIDE, ColorScheme.LIGHT);
                    latest.locator("#both").uncheck();
                    fire(latest, "Fire");
                    return latest;
                },
                run -> !verdict(run, "#locked").equals("unavailable"));

        Locator locked = panel(page, "#locked", "right");
        int busy = Integer.parseInt(number(locked, "busy").textContent());
        assertThat(busy).isBetween(6, 11);
        assertThat(locked.locator("text.unserved")).hasCount(busy);
        assertThat(locked.locator("text.unserved title").first()).hasText(Pattern.compile(".*: busy"));
        assertThat(page.locator("#unlocked")).hasClass(Pattern.compile("hint"));
    }

    @Test
    void heldLocksAreShown() {
        Page page = open("?lang=en&scenario=order-status", WIDE, ColorScheme.LIGHT);
        page.locator("#both").uncheck();
        button(page, "Fire").click();

        assertThat(page.locator("#instances")).containsText("updateOrderStatus:");
        assertThat(page.locator("#instances")).containsText(Pattern.compile("[1-9] working"));
        panel(page, "#locked", "right");
    }

    @Test
    void lockedNamesWithWaitersAreShown() {
        Page page = open("?lang=en&scenario=default-address", WIDE, ColorScheme.LIGHT);
        page.locator("#both").uncheck();
        page.locator("#requests").fill("120");
        button(page, "Fire").click();

        assertThat(page.locator("#instances")).containsText(Pattern.compile("waiting: userAddress:\\d+ × [1-9]"));
        // On a machine so busy that some gave up waiting, the page must say so.
        assertThat(verdict(page, "#locked")).isIn("right", "slow");
    }

    @ParameterizedTest
    @ValueSource(strings = {"default-address", "scheduled-job", "order-status", "catalogue", "transfer"})
    void everyScenarioIsCorrectWithTheLock(String scenario) {
        Page page = open("?lang=en&scenario=" + scenario, WIDE, ColorScheme.LIGHT);
        fire(page, "Fire");

        Locator locked = panel(page, "#locked", "right");
        // On a busy machine, the data may be right in spite of it.
        assertThat(verdict(page, "#unlocked")).isIn("wrong", "overlapped");
        numbersStandInOneRow(locked);
        bothInstancesAreInSight(locked);
        bothInstancesAreInSight(page.locator("#unlocked"));
    }

    @ParameterizedTest
    @CsvSource({"360, 740, en", "360, 740, zh", "390, 844, en", "390, 844, zh"})
    void onAPhoneNothingOverlaps(int width, int height, String language) {
        Page page =
                open("?scenario=three-masters&lang=" + language, new ViewportSize(width, height), ColorScheme.LIGHT);
        allCount(page);
        nothingOverlaps(page);
        // Enough for the run to continue after a third of the answers, when the page kills a master, even if late.
        page.locator("#requests").fill("60");
        page.locator("#fire").press("Enter");
        Locator locked = panel(page, "#locked", "right");
        panel(page, "#unlocked", "wrong");

        assertThat(locked.locator("text.mark").count()).as("labels of masters").isPositive();
        assertThat(page.locator("#fire")).hasAttribute("aria-disabled", "false");
        nothingOverlaps(page);
        nothingIsCutOff(page);
        allCount(page);
    }

    @Test
    void beforeTheFirstRunAnExampleIsShown() {
        Page page = open("?lang=en&scenario=three-masters", WIDE, ColorScheme.LIGHT);

        for (String id : List.of("#locked", "#unlocked")) {
            assertThat(page.locator(id + " .verdict")).hasText("example");
            assertThat(page.locator(id + " rect.work")).hasCount(24);
            bothInstancesAreInSight(page.locator(id));
        }
        assertThat(page.locator("#locked rect.clash")).hasCount(0);
        assertThat(page.locator("#unlocked rect.clash")).hasCount(24);
        page.locator("#requests").fill("7");
        assertThat(page.locator("#locked rect.work")).hasCount(7);
    }

    @Test
    void aPageThatIsLoadedAgainDuringARunFollowsItToItsEnd() {
        Page page = open("?lang=en&scenario=order-status", WIDE, ColorScheme.LIGHT);
        page.locator("#both").uncheck();
        // There is no news of the run: what is shown of it is what the page knows since it fired, and keeps.
        page.route("**/v1/bursts/*", route -> {});
        fire(page, "Fire");
        assertThat(page.locator("#locked")).hasAttribute("data-state", "open");

        page.reload();

        assertThat(page.locator("#locked")).hasAttribute("data-state", "open");
        page.unrouteAll();
        page.reload();

        Locator locked = panel(page, "#locked", "right");
        assertThat(number(locked, "done")).not().hasText("0");
        assertThat(page.locator("#message")).hasText("With the lock: all correct.");
        assertThat(page.locator("#unlocked")).hasClass(Pattern.compile("hint"));
    }

    @Test
    void withoutJavaScriptASentenceSaysWhatToDo() {
        Page page = browser.newContext(new Browser.NewContextOptions().setJavaScriptEnabled(false))
                .newPage();
        page.navigate(playground.address());

        assertThat(page.locator("noscript")).isVisible();
        assertThat(page.locator("noscript").innerText()).contains("needs JavaScript", "curl", "需要 JavaScript");
        page.context().close();
    }

    @Test
    void aFairQueueKeepsTheOrderOfArrival() {
        Page page = open("?lang=en&scenario=fair-queue", WIDE, ColorScheme.LIGHT);
        fire(page, "Fire");

        panel(page, "#locked", "right");
        panel(page, "#unlocked", "wrong");
    }

    @Test
    void aPhoneInDarkModeNeedsNoSidewaysScrolling() {
        Page page = open("?lang=en&scenario=default-address", PHONE, ColorScheme.DARK);
        fire(page, "Fire");
        panel(page, "#locked", "right");
        // On a busy machine, the data may be right in spite of it.
        assertThat(verdict(page, "#unlocked")).isIn("wrong", "overlapped");

        nothingIsCutOff(page);
        everyBarStandsOut(page);
        assertThat((String) page.evaluate("getComputedStyle(document.body).backgroundColor"))
                .as("background in the dark")
                .isEqualTo("rgb(18, 21, 28)");
        screenshot(page, "playground-phone-dark");
    }

    @Test
    void thePageIsAvailableInChinese() {
        Page page = open("?lang=zh&scenario=flash-sale", WIDE, ColorScheme.DARK);
        fire(page, "发起请求");
        panel(page, "#locked", "right");
        panel(page, "#unlocked", "wrong");

        assertThat(page.locator("html")).hasAttribute("lang", "zh-CN");
        assertThat(page.locator("#locked h3")).hasText("加锁");
        screenshot(page, "playground-zh");
        assertThat(page.locator("#message")).hasText("加锁：全部正确。 不加锁：重叠执行，数据出错。");

        button(page, "English").click();
        assertThat(page.locator("#message")).containsText("With the lock: all correct.");
        assertThat(page.url()).contains("lang=en", "scenario=flash-sale");
        assertThat(page.locator("#locked h3")).hasText("With the lock");
    }

    @Test
    void verdictsFollowFromWhatHappened() {
        Page page = open("?lang=en", WIDE, ColorScheme.LIGHT);

        @SuppressWarnings("unchecked")
        List<List<String>> verdicts = (List<List<String>>) page.evaluate(script("/verdicts.js"));

        assertThat(verdicts)
                .hasSizeGreaterThan(30)
                .allSatisfy(
                        verdict -> assertThat(verdict.get(2)).as(verdict.get(0)).isEqualTo(verdict.get(1)));
    }

    @Test
    void noVerdictSaysMoreThanWasSeen() {
        Page page = open("?lang=en", WIDE, ColorScheme.LIGHT);
        // Playwright passes no long.
        int seed = (int) (System.currentTimeMillis() % 1_000_000_000);

        @SuppressWarnings("unchecked")
        Map<String, Object> judged =
                (Map<String, Object>) page.evaluate(script("/histories.js"), List.of(seed, HISTORIES));

        assertThat((List<?>) judged.get("complaints")).as("from seed %d", seed).isEmpty();
        assertThat((Map<?, ?>) judged.get("said")).as("all of it happens").hasSizeGreaterThan(5);
    }

    @Test
    void theNextWaiterTakesOverFromAKilledHolder() {
        Page page = open("?lang=en&scenario=takeover", WIDE, ColorScheme.LIGHT);
        fire(page, "Fire");

        Locator locked = panel(page, "#locked", "losses");
        assertThat(locked.locator(".verdict")).hasText("3 of 6 lost");
        assertThat(number(locked, "done")).hasText("3");
        assertThat(number(locked, "lost with their instance")).hasText("3");
        assertThat(number(locked, "until the takeover")).hasText(Pattern.compile("\\d m?s"));
        assertThat(locked.locator("line.mark.kill")).hasCount(1);
        assertThat(locked.locator("rect.orphan")).hasCount(1);
        assertThat(locked.locator("rect.clash")).hasCount(0);

        // The run without the lock begins when a new second instance has started.
        panel(page, "#unlocked", "overlapped");
        assertThat(page.locator(".instance strong")).hasCount(2);
        screenshot(page, "playground-takeover");
    }

    @ParameterizedTest
    @CsvSource({
        "1280, 720, LIGHT, en, sold twice, late commit refused",
        "390, 844, DARK, zh, 一件卖了两次, 迟到的提交被拒绝",
    })
    void aHolderFreezesAndOnlyTheDatabaseRefusesItsLateCommit(
            int width, int height, ColorScheme scheme, String language, String twice, String refused) {
        Page page = open("?scenario=freeze&lang=" + language, new ViewportSize(width, height), scheme);
        page.locator("#fire").press("Enter");
        assertThat(page.locator(".instance.dead")).containsText("SIGSTOP");

        Locator guarded = panel(page, "#freeze-DATABASE", "refused");
        for (String unguarded : List.of("#freeze-NONE", "#freeze-LOCK")) {
            Locator wrong = panel(page, unguarded, "wrong");
            assertThat(wrong.locator(".verdict")).hasText(twice);
            assertThat(wrong.locator(".said")).containsText("2");
            assertThat(wrong.locator("text.outcome.good")).hasCount(1);
            assertThat(wrong.locator("text.outcome.bad")).hasCount(1);
        }
        assertThat(guarded.locator(".verdict")).hasText(refused);
        assertThat(guarded.locator(".cause")).containsText("was overtaken");
        assertThat(guarded.locator("text.outcome.good")).hasCount(2);
        assertThat(guarded.locator("text.outcome.bad")).hasCount(0);
        assertThat(page.locator("#message")).containsText(refused);

        List<Locator> pictures = page.locator("#freeze svg").all();
        assertThat(pictures).hasSize(3).allSatisfy(each -> {
            assertThat(each.locator("text.group")).hasCount(2);
            assertThat(each.locator("rect.frozen")).hasCount(1);
            assertThat(each.locator("line.mark")).hasCount(2);
        });
        for (String mark : List.of("line.mark.kill", "line.mark:not(.kill)")) {
            assertThat(pictures.stream().map(each -> lastX(each.locator(mark))).distinct())
                    .as("%s stands at the same place in all three", mark)
                    .hasSize(1);
        }
        nothingIsCutOff(page);
        if (width == WIDE.width) {
            fitsInto(WIDE, page, "#fire", "#freeze-NONE svg", "#freeze-LOCK svg", "#freeze-DATABASE svg");
            assertThat(shifts(page)).as("layout shift").isLessThan(.01);
            page.locator("#freeze").screenshot(new Locator.ScreenshotOptions().setPath(pathOf("playground-freeze")));
        }
        assertThat(page.locator(".instance.dead")).hasCount(0);
    }

    @Test
    void concurrentReadersAreShown() {
        Page page = open("?lang=en&scenario=catalogue", WIDE, ColorScheme.LIGHT);
        page.locator("#both").uncheck();
        fire(page, "Fire");

        Locator locked = panel(page, "#locked", "right");
        assertThat(locked.locator("rect.read")).hasCount(25);
        assertThat(locked.locator("rect.work")).hasCount(5);
        assertThat(locked.locator(".timeline")).containsText(Pattern.compile("working at once: ([2-9]|\\d\\d)"));
    }

    @Test
    void nothingClashesWhenAMasterIsKilledAndComesBack() {
        Page page = open("?lang=en&scenario=three-masters", WIDE, ColorScheme.LIGHT);
        assertThat(page.locator(".master")).hasCount(3);
        allCount(page);
        // Enough for the run to continue long after a third of the answers, when the page kills a master, even if late.
        page.locator("#requests").fill("120");
        fire(page, "Fire");

        Locator locked = panel(page, "#locked", "right");
        assertThat(locked.locator("rect.work")).hasCount(120);
        assertThat(locked.locator("rect.clash")).hasCount(0);
        Locator kill = locked.locator("line.mark.kill");
        assertThat(kill).hasCount(1);
        assertThat(locked.locator("text.mark").first()).containsText("killed");
        assertThat(lastX(locked.locator("rect.work")))
                .as("where the last work begins, right of the kill")
                .isGreaterThan(lastX(kill));
        panel(page, "#unlocked", "wrong");
        allCount(page);
        screenshot(page, "playground-masters");
    }

    @Test
    void withTwoMastersKilledNothingIsDoneUntilTheyAreRestarted() {
        Page page = open("?lang=en&scenario=three-masters", WIDE, ColorScheme.LIGHT);
        page.locator("#both").uncheck();
        page.locator("#requests").fill("6");
        allCount(page);
        for (int killed = 1; killed <= 2; killed++) {
            page.locator(".master[data-state=up] button").first().click();
            assertThat(page.locator(".master[data-state=down]")).hasCount(killed);
        }
        fire(page, "Fire");

        Locator locked = panel(page, "#locked", "nothing");
        assertThat(number(locked, "unavailable")).hasText("6");
        assertThat(locked.locator("rect.work")).hasCount(0);

        for (int left = 1; left >= 0; left--) {
            page.locator(".master[data-state=down] button").first().click();
            assertThat(page.locator(".master[data-state=down]")).hasCount(left);
        }
        allCount(page);
        fire(page, "Fire");
        assertThat(locked.locator("rect.work")).hasCount(6);
        panel(page, "#locked", "right");
    }

    @Test
    void everyControlHasANameAndWorksWithTheKeyboard() {
        Page page = open("?lang=en", WIDE, ColorScheme.LIGHT);

        assertThat(page.locator(".chips label:visible")).hasCount(6);
        page.locator("#more summary").press("Enter");
        assertThat(page.locator(".chips label:visible")).hasCount(10);
        for (Locator control : page.locator("button:visible, input:visible").all()) {
            assertThat(control).hasAccessibleName(Pattern.compile("\\S+"));
        }
        nothingIsCutOff(page);
        page.locator(".chips input").first().press("ArrowLeft");
        assertThat(page.locator("#scenario-name")).hasText("Transfer");
        assertThat(page.url()).contains("scenario=transfer");
        page.locator("#both").press("Space");
        page.locator("#requests").fill("6");
        page.locator("#fire").press("Enter");
        panel(page, "#locked", "right");
        assertThat(page.locator("#message")).hasText("With the lock: all correct.");
        assertThat(page.locator("#fire")).isFocused();
    }

    @ParameterizedTest
    @CsvSource({
        "1280, 720, flash-sale, en",
        "1280, 720, freeze, en",
        "1280, 720, three-masters, zh",
        "390, 844, three-masters, en"
    })
    void whileThePageLoadsNothingMoves(int width, int height, String scenario, String language) {
        Page page =
                open("?lang=" + language + "&scenario=" + scenario, new ViewportSize(width, height), ColorScheme.LIGHT);
        assertThat(page.locator("#redis .card")).hasCount(1);
        assertThat(shifts(page)).as("layout shift").isLessThan(.01);
    }

    private static double shifts(Page page) {
        return ((Number) page.evaluate("window.moved")).doubleValue();
    }

    @Test
    void requestsWaitForThoseOfAnotherPage() {
        Page first = open("?lang=en&scenario=order-status", WIDE, ColorScheme.LIGHT);
        Page second = open("?lang=en&scenario=transfer", WIDE, ColorScheme.LIGHT);
        first.locator("#both").uncheck();
        second.locator("#both").uncheck();
        fire(first, "Fire");
        assertThat(first.locator("#locked")).hasAttribute("data-state", "open");
        fire(second, "Fire");

        assertThat(second.locator("#message")).containsText(Pattern.compile("have been running for \\d+ s"));
        panel(first, "#locked", "right");
        panel(second, "#locked", "right");
        assertThat(second.locator("#message")).containsText("all correct");
        // The browser reports each refusal.
        complaints.removeIf(complaint -> complaint.contains("423"));
    }

    @Test
    void aRefusalOfTheServerIsShown() {
        Page page = open("?lang=en", WIDE, ColorScheme.LIGHT);
        page.locator("#controls").evaluate("form => form.noValidate = true");
        page.locator("#requests").fill("601");
        button(page, "Fire").click();

        assertThat(page.locator("#message.bad")).containsText("requests");
        complaints.removeIf(complaint -> complaint.contains("400"));
    }

    private Page open(String query, ViewportSize size, ColorScheme scheme) {
        BrowserContext context = browser.newContext(contextOf(size, scheme));
        context.addInitScript(WATCH_SHIFTS);
        Page page = context.newPage();
        listenTo(page, complaints);
        page.navigate(playground.address() + query);
        assertThat(page.locator(".instance strong")).hasCount(2);
        // The page is shown at once when it knows everything; what is hidden takes no key.
        assertThat(page.locator("#fire")).isVisible();
        return page;
    }

    private static Browser.NewContextOptions contextOf(ViewportSize size, ColorScheme scheme) {
        return new Browser.NewContextOptions()
                .setViewportSize(size.width, size.height)
                .setColorScheme(scheme);
    }

    private static void listenTo(Page page, List<String> complaints) {
        page.onConsoleMessage(message -> {
            if (message.type().equals("error") || message.type().equals("warning")) {
                complaints.add(message.text());
            }
        });
        page.onPageError(complaints::add);
    }

    /** The first of at most three runs that matches, or the third. */
    private static Page firstRun(Supplier<Page> run, Predicate<Page> wanted) {
        Page page = run.get();
        for (int again = 0; again < 2 && !wanted.test(page); again++) {
            page = run.get();
        }
        return page;
    }

    private static void fire(Page page, String name) {
        button(page, name).click();
    }

    /** The panel, after its run has ended with this verdict. */
    private static Locator panel(Page page, String id, String verdict) {
        assertThat(verdict(page, id))
                .as("%s: %s", id, page.locator(id).innerText())
                .isEqualTo(verdict);
        return page.locator(id);
    }

    /** The verdict of the panel, after its run has ended. */
    private static String verdict(Page page, String id) {
        Locator panel = page.locator(id);
        assertThat(panel).hasAttribute("data-state", Pattern.compile("^(?!open)\\w+"));
        return panel.getAttribute("data-state");
    }

    private static Locator number(Locator panel, String name) {
        return panel.locator(".numbers div", containing(name)).locator("dd");
    }

    /** Signatures, numbers and scenarios are readable without scrolling sideways, and the chosen scenario is in view. */
    private static void nothingIsCutOff(Page page) {
        assertThat((List<?>) page.evaluate("[...document.querySelectorAll('pre, dd, dt, .chips span, .instance')]"
                        + ".filter(each => each.scrollWidth > each.clientWidth).map(each => each.textContent)"))
                .as("cut off")
                .isEmpty();
        assertThat((Boolean) page.evaluate("(({left, right}) => left >= 0 && right <= innerWidth)"
                        + "(document.querySelector('.chips :checked').getBoundingClientRect())"))
                .as("the chosen scenario is in view")
                .isTrue();
        assertThat((Boolean) page.evaluate("document.documentElement.scrollWidth <= innerWidth"))
                .as("nobody has to scroll sideways")
                .isTrue();
    }

    private static void fitsInto(ViewportSize size, Page page, String... parts) {
        assertThat(page.evaluate("scrollY")).as("scrolled").isEqualTo(0);
        for (String part : parts) {
            BoundingBox box = page.locator(part).first().boundingBox();
            assertThat(box.y).as(part).isNotNegative();
            assertThat(box.y + box.height).as(part).isLessThanOrEqualTo(size.height);
        }
    }

    /** With all their rows. */
    private static void bothInstancesAreInSight(Locator panel) {
        assertThat(panel.locator("text.group")).hasCount(2);
        assertThat((Boolean) panel.locator(".scroll").evaluate("each => each.scrollHeight <= each.clientHeight"))
                .as("nobody has to scroll for a row")
                .isTrue();
        BoundingBox picture = panel.locator("svg").boundingBox();
        assertThat(picture.y + picture.height).isLessThanOrEqualTo(WIDE.height);
    }

    /** The places and labels of the time axis. */
    private static List<String> scale(Locator panel) {
        return panel.locator("svg").locator("line.axis, line.axis + text").all().stream()
                .map(each -> each.textContent() + " at "
                        + each.getAttribute(each.textContent().isEmpty() ? "x1" : "x"))
                .toList();
    }

    private static void nothingOverlaps(Page page) {
        assertThat(overlaps(page)).as("what overlaps").isEmpty();
    }

    private static List<?> overlaps(Page page) {
        return (List<?>) page.evaluate(script("/overlaps.js"));
    }

    private static void numbersStandInOneRow(Locator panel) {
        assertThat(panel.locator(".numbers dd").all().stream()
                        .map(number -> number.boundingBox().y)
                        .distinct())
                .as("rows of numbers")
                .hasSize(1);
    }

    private static void isGrey(Locator card) {
        assertThat(card).hasClass(Pattern.compile("dead"));
        assertThat(card).hasCSS("filter", "grayscale(1)");
    }

    /** The bars have enough contrast: 3 to 1 against the lanes behind them. */
    private static void everyBarStandsOut(Page page) {
        @SuppressWarnings("unchecked")
        Map<String, Number> contrasts = (Map<String, Number>) page.evaluate(script("/contrasts.js"));
        assertThat(contrasts)
                .hasSizeGreaterThan(4)
                .allSatisfy((bar, contrast) ->
                        assertThat(contrast.doubleValue()).as(bar).isGreaterThanOrEqualTo(3));
    }

    private static String script(String name) {
        try (InputStream file = Objects.requireNonNull(PlaygroundPageIT.class.getResourceAsStream(name))) {
            return new String(file.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void allCount(Page page) {
        assertThat(page.locator(".master[data-state=up]")).hasCount(3);
    }

    private static double lastX(Locator shapes) {
        return shapes.all().stream()
                .mapToDouble(shape ->
                        ((Number) shape.evaluate("shape => (shape.x1 ?? shape.x).baseVal.value")).doubleValue())
                .max()
                .orElseThrow();
    }

    private static List<Long> tokens(Locator panel) {
        panel.locator("summary").click();
        return panel.locator("td:last-child").allTextContents().stream()
                .map(Long::valueOf)
                .toList();
    }

    private static Locator button(Page page, String name) {
        return page.getByRole(AriaRole.BUTTON, new Page.GetByRoleOptions().setName(name));
    }

    private static Locator.LocatorOptions containing(String text) {
        return new Locator.LocatorOptions().setHasText(text);
    }

    private static Path pathOf(String picture) {
        return Path.of(System.getProperty("screenshots.folder"), picture + ".png");
    }

    private static void screenshot(Page page, String name) {
        assertThat(page.locator("#fire")).hasAttribute("aria-disabled", "false");
        // Tall enough for a whole timeline.
        if (page.viewportSize().width >= WIDE.width) {
            page.setViewportSize(WIDE.width, 960);
        }
        page.screenshot(new Page.ScreenshotOptions().setPath(pathOf(name)).setFullPage(true));
    }
}
