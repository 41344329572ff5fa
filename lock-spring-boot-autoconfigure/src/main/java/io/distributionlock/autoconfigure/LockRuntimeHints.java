package io.distributionlock.autoconfigure;

import io.distributionlock.DistributedLock;
import io.distributionlock.annotation.DistributionLock;
import io.distributionlock.annotation.DistributionLockParam;
import io.distributionlock.annotation.DistributionLocks;
import io.distributionlock.annotation.FencingToken;
import io.distributionlock.annotation.LeaderOnly;
import io.distributionlock.annotation.RefuseRepeats;
import io.distributionlock.annotation.ScheduledLock;
import java.lang.annotation.Annotation;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.aot.hint.TypeReference;
import org.springframework.boot.context.properties.bind.BindableRuntimeHintsRegistrar;

/** Hints for native images: the scripts, the properties, the merged annotations, and the proxy of the registry's locks. */
class LockRuntimeHints implements RuntimeHintsRegistrar {

    private static final String SCRIPTS = "io/distributionlock/redis/*.lua";
    private static final String SCRIPT_PARTS = "io/distributionlock/redis/include/*.lua";
    private static final String SCHEMAS = "io/distributionlock/jdbc/schema-*.sql";

    private static final List<Class<? extends Annotation>> ANNOTATIONS = List.of(
            DistributionLock.class,
            DistributionLocks.class,
            DistributionLockParam.class,
            FencingToken.class,
            LeaderOnly.class,
            RefuseRepeats.class,
            ScheduledLock.class);

    /** The locks of the registry implement it by a proxy if it is there. */
    private static final String LOCK_OF_SPRING_INTEGRATION_7 =
            "org.springframework.integration.support.locks.DistributedLock";

    @Override
    public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
        hints.resources().registerPattern(SCRIPTS).registerPattern(SCRIPT_PARTS).registerPattern(SCHEMAS);
        BindableRuntimeHintsRegistrar.forTypes(LockProperties.class).registerHints(hints, classLoader);
        for (Class<? extends Annotation> annotation : ANNOTATIONS) {
            hints.reflection().registerType(annotation, MemberCategory.INVOKE_DECLARED_METHODS);
            hints.proxies().registerJdkProxy(annotation);
        }
        hints.reflection().registerType(DistributedLock.class, MemberCategory.INVOKE_PUBLIC_METHODS);
        hints.proxies().registerJdkProxy(DistributedLock.class);
        hints.proxies()
                .registerJdkProxy(
                        TypeReference.of(DistributedLock.class), TypeReference.of(LOCK_OF_SPRING_INTEGRATION_7));
    }
}
