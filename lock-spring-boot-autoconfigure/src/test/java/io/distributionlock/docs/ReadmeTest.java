package io.distributionlock.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributionlock.Lease;
import io.distributionlock.LockTemplate;
import java.lang.reflect.Method;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.context.ApplicationContext;
import org.springframework.util.ReflectionUtils;

/** What the README says of its example, beyond the line that it prints. */
class ReadmeTest {

    @TempDir
    Path output;

    private static Object updateOrder(ApplicationContext context, String orderCode) {
        Object service = context.getBean("orderService");
        try {
            Method method = SnippetTest.load(
                            "snippets.readme_md.OrderService",
                            service.getClass().getClassLoader())
                    .getDeclaredMethod("updateOrder", String.class, Integer.class, Integer.class);
            method.setAccessible(true);
            return method.invoke(service, orderCode, 1, 2);
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void aCallWaitsForASecondAndGetsTheAnswerOfTheMapperWhileAnotherOrderIsUpdated() {
        SnippetCompiler.Compiled compiled =
                new SnippetCompiler(output).compile("README.md", Snippet.on(Page.of("README.md")));
        assertThat(compiled.problems()).isEmpty();
        SnippetTest.application(compiled.beans(), compiled).run(context -> {
            try (Lease held = context.getBean(LockTemplate.class).acquire("updateOrderStatus:A1001")) {
                long begin = System.nanoTime();
                // Another thread: the one that holds the lock would enter again.
                Object busy = CompletableFuture.supplyAsync(() -> updateOrder(context, "A1001"))
                        .join();
                assertThat(busy).hasToString("Resp[code=1, message=Busy; try again later, data=null]");
                assertThat(Duration.ofNanos(System.nanoTime() - begin)).isGreaterThanOrEqualTo(Duration.ofMillis(990));
                assertThat(CompletableFuture.supplyAsync(() -> updateOrder(context, "B2002"))
                                .join())
                        .asString()
                        .contains("message=Order status updated", "Order[code=B2002, status=2]");
            }
        });
    }

    @Test
    void aSecondClickOnTheSameFormIsAnsweredAsSubmittedBefore() {
        SnippetCompiler.Compiled compiled =
                new SnippetCompiler(output).compile("README.md", Snippet.on(Page.of("README.md")));
        SnippetTest.application(compiled.beans(), compiled).run(context -> {
            assertThat(createOrder(context, compiled, "form-1")).contains("message=Order created");
            assertThat(createOrder(context, compiled, "form-1")).contains("message=Submitted before");
            assertThat(createOrder(context, compiled, "form-2")).contains("message=Order created");
        });
    }

    private static String createOrder(ApplicationContext context, SnippetCompiler.Compiled compiled, String formToken) {
        for (String bean : compiled.beans()) {
            Class<?> type = SnippetTest.load(bean, compiled.classes());
            for (Method method : type.getDeclaredMethods()) {
                if (method.getName().equals("createOrder")) {
                    ReflectionUtils.makeAccessible(method);
                    return String.valueOf(
                            ReflectionUtils.invokeMethod(method, context.getBean(type), formToken, "A1001"));
                }
            }
        }
        throw new AssertionError("The README shows no method createOrder");
    }
}
