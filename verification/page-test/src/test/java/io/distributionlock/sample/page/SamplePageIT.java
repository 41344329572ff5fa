package io.distributionlock.sample.page;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.BrowserType;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Playwright;
import com.microsoft.playwright.assertions.LocatorAssertions;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.ColorScheme;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The page in a real browser, with two instances of the sample. */
class SamplePageIT {

    /** In milliseconds, as Playwright counts. */
    private static final double GENEROUS = 120_000;

    private static final int WIDE = 1280;
    private static final int PHONE = 390;

    private static PackagedSample sample;
    private static Playwright playwright;
    private static Browser browser;

    private final List<String> complaints = new ArrayList<>();

    @BeforeAll
    static void start() {
        sample = PackagedSample.start();
        playwright = Playwright.create();
        browser = playwright
                .chromium()
                .launch(new BrowserType.LaunchOptions()
                        .setExecutablePath(Path.of(System.getProperty("browser.executable")))
                        // The sandbox needs rights that the user of a CI machine may not have.
                        .setArgs(List.of("--no-sandbox")));
        try (BrowserContext first = browser.newContext()) {
            Page page = first.newPage();
            page.navigate(sample.address() + "?lang=en");
            button(page, "Start a second instance").click();
            assertThat(page.locator(".instance strong")).hasCount(2, countSoon());
        }
    }

    @AfterAll
    static void stop() {
        List<ProcessHandle> children =
                ProcessHandle.of(sample.processId()).orElseThrow().children().toList();
        browser.close();
        playwright.close();
        sample.close();
        await("end of the second instance, once the first has ended")
                .atMost(Duration.ofMinutes(1))
                .until(() -> children.stream().noneMatch(ProcessHandle::isAlive));
    }

    @AfterEach
    void theBrowserReportsNoErrors() {
        try {
            assertThat(complaints).isEmpty();
        } finally {
            // An open page keeps polling, and would slow down the next test.
            browser.contexts().forEach(BrowserContext::close);
        }
    }

    @Test
    void onlyTheRunWithoutTheLockClashes() {
        Page page = open("?lang=en&scenario=flash-sale", WIDE, ColorScheme.LIGHT);
        fire(page, "Fire");

        Locator locked = panel(page, "#locked", "good");
        assertThat(locked.locator(".facts li.good")).hasCount(2);
        assertThat(locked.locator("rect.clash")).hasCount(0);
        assertThat(locked.locator(".timeline text.group")).hasCount(2);
        assertThat(locked.locator("rect.wait")).hasCount(30);
        assertThat(locked.locator("path.hand").count()).isGreaterThan(5);
        assertThat(locked.locator("text.token").first()).hasText(Pattern.compile("#\\d+"));

        Locator unlocked = panel(page, "#unlocked", "bad");
        assertThat(unlocked.locator("rect.clash").count()).isGreaterThan(5);
        assertThat(unlocked.locator(".facts li.bad").count()).isPositive();

        screenshot(page, "sample-light");
        assertThat(tokens(locked)).hasSizeGreaterThan(5).isSorted().doesNotHaveDuplicates();
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
                run -> panel(run, "#locked", "good")
                                .locator(".numbers div", containing("unavailable"))
                                .count()
                        == 0);

        Locator locked = panel(page, "#locked", "good");
        int busy = Integer.parseInt(
                locked.locator(".numbers div", containing("busy")).locator("dd").textContent());
        assertThat(busy).isBetween(6, 11);
        assertThat(locked.locator("text.busy")).hasCount(busy);
        assertThat(page.locator("#unlocked")).hasClass(Pattern.compile("hint"));
    }

    @Test
    void heldLocksAreShown() {
        Page page = open("?lang=en&scenario=order-status", WIDE, ColorScheme.LIGHT);
        page.locator("#both").uncheck();
        button(page, "Fire").click();

        assertThat(page.locator("#instances")).containsText("updateOrderStatus:", textSoon());
        assertThat(page.locator("#instances")).containsText(Pattern.compile("[1-9] working"), textSoon());
        panel(page, "#locked", "good");
    }

    @Test
    void lockedNamesWithWaitersAreShownAndAllRequestsSucceed() {
        Page page = open("?lang=en&scenario=default-address", WIDE, ColorScheme.LIGHT);
        page.locator("#both").uncheck();
        page.locator("#requests").fill("300");
        button(page, "Fire").click();

        assertThat(page.locator("#instances"))
                .containsText(Pattern.compile("waiting: userAddress:\\d+ × [1-9]"), textSoon());
        panel(page, "#locked", "good");
    }

    @ParameterizedTest
    @ValueSource(strings = {"default-address", "scheduled-job", "re-entry", "catalogue", "transfer"})
    void everyScenarioIsCorrectWithTheLock(String scenario) {
        Page page = open("?lang=en&scenario=" + scenario, WIDE, ColorScheme.LIGHT);
        fire(page, "Fire");

        panel(page, "#locked", "good");
        panel(page, "#unlocked", "bad");
    }

    @Test
    void aFairQueueKeepsTheOrderOfArrival() {
        // A request may be overtaken if its instance pauses before it requests the lock.
        Page page = firstRun(
                () -> {
                    Page latest = open("?lang=en&scenario=fair-queue", WIDE, ColorScheme.LIGHT);
                    fire(latest, "Fire");
                    panel(latest, "#unlocked", "bad");
                    return latest;
                },
                run -> run.locator("#locked[data-state=good]").count() == 1);

        panel(page, "#locked", "good");
    }

    @Test
    void aPhoneInDarkModeNeedsNoSidewaysScrolling() {
        Page page = open("?lang=en&scenario=default-address", PHONE, ColorScheme.DARK);
        fire(page, "Fire");
        panel(page, "#locked", "good");
        panel(page, "#unlocked", "bad");

        assertThat((Integer) page.evaluate("document.documentElement.scrollWidth"))
                .isLessThanOrEqualTo(PHONE);
        assertThat((String) page.evaluate("getComputedStyle(document.body).backgroundColor"))
                .as("background in the dark")
                .isEqualTo("rgb(18, 21, 28)");
        screenshot(page, "sample-phone-dark");
    }

    @Test
    void thePageIsAvailableInChinese() {
        Page page = open("?lang=zh&scenario=flash-sale", WIDE, ColorScheme.DARK);
        fire(page, "发起请求");
        panel(page, "#locked", "good");
        panel(page, "#unlocked", "bad");

        assertThat(page.locator("html")).hasAttribute("lang", "zh-CN");
        assertThat(page.locator("#locked h3")).hasText("加锁");
        screenshot(page, "sample-zh");

        button(page, "English").click();
        assertThat(page.locator("#locked h3")).hasText("With the lock");
    }

    @Test
    void concurrentReadersAreShown() {
        Page page = open("?lang=en&scenario=catalogue", WIDE, ColorScheme.LIGHT);
        page.locator("#both").uncheck();
        fire(page, "Fire");

        Locator locked = panel(page, "#locked", "good");
        assertThat(locked.locator("rect.read")).hasCount(25);
        assertThat(locked.locator("rect.work")).hasCount(5);
        assertThat(locked.locator(".timeline")).containsText(Pattern.compile("working at once: ([2-9]|\\d\\d)"));
        screenshot(page, "sample-readers");
    }

    @Test
    void nothingClashesWhenAMasterIsKilledAndComesBack() {
        Page page = open("?lang=en&scenario=three-masters", WIDE, ColorScheme.LIGHT);
        assertThat(page.locator(".master")).hasCount(3, countSoon());
        assertThat(page.locator(".master strong"))
                .containsText(new String[] {"127.0.0.1:", "127.0.0.1:", "127.0.0.1:"});
        allCount(page);
        // Enough for the run to continue long after a third of the answers, when the page kills a master, even if late.
        page.locator("#requests").fill("120");
        fire(page, "Fire");

        Locator locked = panel(page, "#locked", "good");
        assertThat(locked.locator("rect.work")).hasCount(120);
        assertThat(locked.locator("rect.clash")).hasCount(0);
        Locator kill = locked.locator("line.mark.kill");
        assertThat(kill).hasCount(1);
        assertThat(locked.locator("text.mark").first()).containsText("killed");
        assertThat(lastX(locked.locator("rect.work")))
                .as("where the last work begins, right of the kill")
                .isGreaterThan(lastX(kill));
        panel(page, "#unlocked", "bad");
        allCount(page);
        screenshot(page, "sample-masters");
    }

    @Test
    void withTwoMastersKilledNothingIsDoneUntilTheyAreRestarted() {
        Page page = open("?lang=en&scenario=three-masters", WIDE, ColorScheme.LIGHT);
        page.locator("#both").uncheck();
        page.locator("#requests").fill("6");
        allCount(page);
        for (int killed = 1; killed <= 2; killed++) {
            page.locator(".master[data-state=up] button").first().click();
            assertThat(page.locator(".master[data-state=down]")).hasCount(killed, countSoon());
        }
        fire(page, "Fire");

        Locator locked = panel(page, "#locked", "good");
        assertThat(locked.locator(".numbers div", containing("unavailable")).locator("dd"))
                .hasText("6");
        assertThat(locked.locator("rect.work")).hasCount(0);

        for (int left = 1; left >= 0; left--) {
            page.locator(".master[data-state=down] button").first().click();
            assertThat(page.locator(".master[data-state=down]")).hasCount(left, countSoon());
        }
        allCount(page);
        fire(page, "Fire");
        assertThat(locked.locator("rect.work")).hasCount(6, countSoon());
        panel(page, "#locked", "good");
    }

    @Test
    void everyControlHasANameAndWorksWithTheKeyboard() {
        Page page = open("?lang=en", WIDE, ColorScheme.LIGHT);

        for (Locator control : page.locator("button, input").all()) {
            assertThat(control).hasAccessibleName(Pattern.compile("\\S+"));
        }
        page.locator("#both").uncheck();
        page.locator("#requests").fill("6");
        page.locator("#requests").press("Enter");
        panel(page, "#locked", "good");
    }

    @Test
    void aRefusalOfTheServerIsShown() {
        Page page = open("?lang=en", WIDE, ColorScheme.LIGHT);
        page.locator("#controls").evaluate("form => form.noValidate = true");
        page.locator("#requests").fill("601");
        button(page, "Fire").click();

        assertThat(page.locator("#message.bad")).containsText("requests", textSoon());
        complaints.removeIf(complaint -> complaint.contains("400"));
    }

    private Page open(String query, int width, ColorScheme scheme) {
        BrowserContext context = browser.newContext(
                new Browser.NewContextOptions().setViewportSize(width, 900).setColorScheme(scheme));
        Page page = context.newPage();
        page.onConsoleMessage(message -> {
            if (message.type().equals("error") || message.type().equals("warning")) {
                complaints.add(message.text());
            }
        });
        page.onPageError(complaints::add);
        page.navigate(sample.address() + query);
        assertThat(page.locator(".instance strong")).hasCount(2, countSoon());
        return page;
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
        Locator panel = page.locator(id);
        assertThat(panel)
                .hasAttribute(
                        "data-state",
                        Pattern.compile("good|bad"),
                        new LocatorAssertions.HasAttributeOptions().setTimeout(GENEROUS));
        assertThat(panel).hasAttribute("data-state", verdict);
        return panel;
    }

    private static void allCount(Page page) {
        assertThat(page.locator(".master[data-state=up]")).hasCount(3, countSoon());
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

    private static LocatorAssertions.HasCountOptions countSoon() {
        return new LocatorAssertions.HasCountOptions().setTimeout(GENEROUS);
    }

    private static LocatorAssertions.ContainsTextOptions textSoon() {
        return new LocatorAssertions.ContainsTextOptions().setTimeout(GENEROUS);
    }

    private static void screenshot(Page page, String name) {
        page.screenshot(new Page.ScreenshotOptions()
                .setPath(Path.of(System.getProperty("screenshots.folder"), name + ".png"))
                .setFullPage(true));
    }
}
