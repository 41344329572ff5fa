package io.distributionlock.key;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributionlock.annotation.DistributionLock;
import io.distributionlock.annotation.DistributionLockParam;
import io.distributionlock.testing.LockContextRunner;
import io.distributionlock.testing.ScriptedLockExecutor;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.core.annotation.AliasFor;
import org.springframework.core.annotation.AnnotationConfigurationException;

/** The key of a lock may be the value of its annotation. */
@Tag("boot4")
class KeyAliasTest {

    private final ScriptedLockExecutor executor = new ScriptedLockExecutor();

    @Test
    void theValueIsTheKey() {
        LockContextRunner.with(executor, Service.class).run(context -> {
            Service service = context.getBean(Service.class);
            service.byValue("7");
            service.byBoth();
            service.twice();
            service.composedOfKey();
            service.composedOfValue();
            assertThat(executor.names())
                    .containsExactly("value:7", "both", "first", "second", "composed:k", "composed:v");
        });
    }

    @Test
    void twoKeysInOneAnnotationFailTheStart() {
        LockContextRunner.with(executor, Different.class)
                .run(context -> assertThat(context)
                        .hasFailed()
                        .getFailure()
                        .rootCause()
                        .isInstanceOf(AnnotationConfigurationException.class)
                        .hasMessageContaining("Different.work()")
                        .hasMessageContaining("'key'")
                        .hasMessageContaining("'value'"));
    }

    @Test
    void aProblemNamesTheAttributeThatIsWritten() {
        LockContextRunner.with(executor, Blank.class)
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasMessageContaining("@OfValue on " + Blank.class.getName() + ".work() has a blank what"));
    }

    @Retention(RetentionPolicy.RUNTIME)
    @DistributionLock
    @interface OfKey {

        @AliasFor(annotation = DistributionLock.class, attribute = "key")
        String what();
    }

    @Retention(RetentionPolicy.RUNTIME)
    @DistributionLock
    @interface OfValue {

        @AliasFor(annotation = DistributionLock.class, attribute = "value")
        String what();
    }

    static class Service {

        @DistributionLock("value")
        public void byValue(@DistributionLockParam String id) {}

        @DistributionLock(value = "both", key = "both")
        public void byBoth() {}

        @DistributionLock("first")
        @DistributionLock("second")
        public void twice() {}

        @OfKey(what = "composed:k")
        public void composedOfKey() {}

        @OfValue(what = "composed:v")
        public void composedOfValue() {}
    }

    static class Different {

        @DistributionLock(value = "one", key = "other")
        public void work() {}
    }

    static class Blank {

        @OfValue(what = " ")
        public void work() {}
    }
}
