package io.distributionlock.test.contract;

import java.lang.reflect.Method;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.Extension;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;
import org.junit.jupiter.api.extension.TestTemplateInvocationContext;
import org.junit.jupiter.api.extension.TestTemplateInvocationContextProvider;

/** Runs the body of a test on a thread of each kind, so that the test itself need not know of kinds. */
final class ThreadKindExtension implements TestTemplateInvocationContextProvider {

    @Override
    public boolean supportsTestTemplate(ExtensionContext context) {
        return true;
    }

    @Override
    public Stream<TestTemplateInvocationContext> provideTestTemplateInvocationContexts(ExtensionContext context) {
        return ThreadKind.available().stream().map(OnOneKind::new);
    }

    private record OnOneKind(ThreadKind kind) implements TestTemplateInvocationContext {

        @Override
        public String getDisplayName(int invocationIndex) {
            return kind.toString();
        }

        @Override
        public List<Extension> getAdditionalExtensions() {
            // In this order, so that a test is repeated on the thread of its kind.
            return List.of(new Mover(kind), new Standstills());
        }
    }

    private record Mover(ThreadKind kind) implements InvocationInterceptor {

        @Override
        public void interceptTestTemplateMethod(
                Invocation<Void> invocation,
                ReflectiveInvocationContext<Method> invocationContext,
                ExtensionContext extensionContext)
                throws Throwable {
            CompletableFuture<Void> end = new CompletableFuture<>();
            Thread thread = kind.factory().newThread(() -> {
                try {
                    invocation.proceed();
                    end.complete(null);
                } catch (Throwable e) {
                    end.completeExceptionally(e);
                }
            });
            thread.start();
            try {
                end.get();
            } catch (ExecutionException e) {
                throw e.getCause();
            } catch (InterruptedException e) {
                thread.interrupt();
                throw e;
            }
        }
    }
}
