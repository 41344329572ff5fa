package io.distributionlock.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.alwaysTrue;
import static com.tngtech.archunit.core.domain.JavaAccess.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackages;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.name;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Keeps to what the architecture page says: which package may know which, and what is open to users. */
class RoomsTests {

    private static final String ROOT = "io.distributionlock";
    private static final String[] EVERYWHERE = {"java..", "org.jspecify..", "org.apache.commons.logging.."};

    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages(ROOT);

    /** It is on a thread of the JDK that never ends, and keeps the class loader of whoever was first. (E12) */
    @Test
    void nobodyUsesTheTimerOfCompletableFuture() {
        for (String timed : List.of("orTimeout", "completeOnTimeout", "delayedExecutor")) {
            noClasses()
                    .should()
                    .callMethodWhere(
                            target(owner(assignableTo(CompletableFuture.class))).and(target(name(timed))))
                    .check(CLASSES);
        }
    }

    /** The rooms, and what each may import besides itself. */
    static Stream<Room> rooms() {
        return Stream.of(
                room("", "org.springframework.core.."),
                room("annotation", ROOT, "org.springframework.core.."),
                room(
                        "aop",
                        ROOT,
                        ROOT + ".annotation",
                        "org.aopalliance..",
                        "org.springframework.aop..",
                        "org.springframework.aot..",
                        "org.springframework.beans..",
                        "org.springframework.context..",
                        "org.springframework.core..",
                        "org.springframework.expression..",
                        "org.springframework.http..",
                        "org.springframework.scheduling.annotation..",
                        "org.springframework.asm..",
                        "org.springframework.transaction..",
                        "org.springframework.util..",
                        "org.springframework.cglib..",
                        "org.reactivestreams..",
                        "reactor.."),
                room("engine", ROOT),
                room(
                        "redis",
                        ROOT,
                        ROOT + ".engine",
                        "javax.net.ssl..",
                        "org.springframework..",
                        "io.lettuce..",
                        "io.netty.."),
                room("quorum", ROOT, ROOT + ".engine", ROOT + ".redis", "org.springframework..", "io.lettuce.."),
                room("local", ROOT, ROOT + ".engine"),
                room(
                        "integration",
                        ROOT,
                        "org.springframework.integration.support.locks..",
                        "org.springframework.util.."),
                room("observe", ROOT, ROOT + ".aop", ROOT + ".engine", "org.springframework..", "io.micrometer.."));
    }

    private static Room room(String name, String... imports) {
        return new Room(name, List.of(imports));
    }

    private record Room(String name, List<String> imports) {

        String packageName() {
            return name.isEmpty() ? ROOT : ROOT + "." + name;
        }

        @Override
        public String toString() {
            return packageName();
        }
    }

    @ParameterizedTest
    @MethodSource("rooms")
    void aRoomImportsOnlyWhatItMay(Room room) {
        String[] allowed = Stream.of(Stream.of(EVERYWHERE), room.imports().stream(), Stream.of(room.packageName()))
                .flatMap(each -> each)
                .toArray(String[]::new);
        classes()
                .that()
                .resideInAPackage(room.packageName())
                .should()
                .onlyDependOnClassesThat(resideInAnyPackage(allowed).or(arraysAndPrimitives()))
                .allowEmptyShould(true)
                .check(CLASSES);
    }

    private static DescribedPredicate<JavaClass> arraysAndPrimitives() {
        return DescribedPredicate.describe(
                "primitive or an array",
                type -> type.isPrimitive() || type.getBaseComponentType().isPrimitive());
    }

    @Test
    void thereAreNoCyclesBetweenPackages() {
        slices().matching(ROOT + ".(**)").should().beFreeOfCycles().check(CLASSES);
    }

    @Test
    void nothingButTheAutoConfigurationKnowsSpringBoot() {
        classes()
                .that(resideOutsideOfPackages(ROOT + ".autoconfigure", ROOT + ".observe"))
                .should()
                .onlyDependOnClassesThat(resideOutsideOfPackages("org.springframework.boot.."))
                .check(CLASSES);
    }

    /** What users may see of the declarative layer. Whoever opens a class adds it here, on purpose. */
    private static final Map<String, List<String>> OPEN = Map.of(
            "annotation",
                    List.of(
                            "DistributionLock",
                            "DistributionLockParam",
                            "DistributionLocks",
                            "FencingToken",
                            "OnBackendFailure",
                            "OnBusy",
                            "OnInterrupted",
                            "ScheduledLock"),
            "aop",
                    List.of(
                            "DistributionLockAdvisor",
                            "InvalidLockDefinitionException",
                            "LockBypassedEvent",
                            "LockCommitGuard",
                            "LockContext",
                            "LockDeclaration",
                            "LockDefinitionValidator",
                            "LockEvents",
                            "LockFailure",
                            "LockFailureMapper",
                            "LockInvocation",
                            "LockKeyException",
                            "LockKeyResolver",
                            "LockLostEvent",
                            "LockOverride",
                            "LockOverrides",
                            "LockProblem",
                            "ReactiveCommitGuard",
                            "SpringSurroundings"),
            "observe",
                    List.of(
                            "DefaultLockObservationConvention",
                            "EngineMeters",
                            "LockAcquiredEvent",
                            "LockBusyEvent",
                            "LockEventPublisher",
                            "LockForcedEvent",
                            "LockMeter",
                            "LockMeters",
                            "LockObservation",
                            "LockObservationContext",
                            "LockObservations",
                            "LockObserver",
                            "LockReleasedEvent",
                            "LocksEndpoint",
                            "LocksWebExtension",
                            "ObservedLockExecutor"),
            "integration", List.of("DistributionLockRegistry"),
            "autoconfigure",
                    List.of(
                            "DistributionLockAutoConfiguration",
                            "LockHealthAutoConfiguration",
                            "LockIntegrationAutoConfiguration",
                            "LockProperties",
                            "LockTemplateCustomizer"));

    @Test
    void onlyWhatUsersNeedIsPublic() {
        OPEN.forEach((room, open) -> assertThat(publicClassesOf(ROOT + "." + room))
                .as("public classes of " + room)
                .isEqualTo(new TreeSet<>(open)));
    }

    private static TreeSet<String> publicClassesOf(String packageName) {
        TreeSet<String> names = new TreeSet<>();
        for (JavaClass type : CLASSES.that(alwaysTrue())) {
            if (type.getPackageName().equals(packageName)
                    && type.isTopLevelClass()
                    && type.getModifiers().contains(JavaModifier.PUBLIC)) {
                names.add(type.getSimpleName());
            }
        }
        return names;
    }
}
