package io.distributionlock.autoconfigure;

import io.distributionlock.DistributedLock;
import io.distributionlock.annotation.DistributionLock;
import io.distributionlock.annotation.DistributionLockParam;
import io.distributionlock.annotation.DistributionLocks;
import io.distributionlock.annotation.FencingToken;
import io.distributionlock.annotation.ScheduledLock;
import io.distributionlock.integration.SpringIntegration7;
import java.lang.annotation.Annotation;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;

/** Tells a native image what is found by name only: the scripts, and the annotations, which are read merged. */
class LockRuntimeHints implements RuntimeHintsRegistrar {

    private static final String SCRIPTS = "io/distributionlock/redis/*.lua";

    private static final List<Class<? extends Annotation>> ANNOTATIONS = List.of(
            DistributionLock.class,
            DistributionLocks.class,
            DistributionLockParam.class,
            FencingToken.class,
            ScheduledLock.class);

    @Override
    public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
        hints.resources().registerPattern(SCRIPTS);
        for (Class<? extends Annotation> annotation : ANNOTATIONS) {
            hints.reflection().registerType(annotation, MemberCategory.INVOKE_DECLARED_METHODS);
            hints.proxies().registerJdkProxy(annotation);
        }
        Class<?>[] lock = SpringIntegration7.interfaces(classLoader);
        if (lock != null) {
            hints.proxies().registerJdkProxy(lock);
            hints.reflection().registerType(DistributedLock.class, MemberCategory.INVOKE_PUBLIC_METHODS);
        }
    }
}
