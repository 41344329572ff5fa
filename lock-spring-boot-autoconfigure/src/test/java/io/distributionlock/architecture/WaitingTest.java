package io.distributionlock.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaCall;
import io.distributionlock.internal.Await;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ForkJoinTask;
import org.junit.jupiter.api.Test;

/** Only {@link Await} waits for futures, because the JDK's own ways let the thread run other tasks meanwhile. */
class WaitingTest {

    private static final Set<String> WAITING = Set.of("get", "join", "invoke", "invokeAll", "resultNow");

    @Test
    void nothingElseWaitsForAFuture() {
        noClasses()
                .that()
                .doNotBelongToAnyOf(Await.class)
                .should()
                .callMethodWhere(DescribedPredicate.describe(
                        "it waits for a future",
                        (JavaCall<?> call) -> WAITING.contains(call.getName())
                                && (call.getTargetOwner().isAssignableTo(CompletableFuture.class)
                                        || call.getTargetOwner().isAssignableTo(ForkJoinTask.class))))
                .check(Library.CLASSES);
    }
}
