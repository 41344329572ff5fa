package io.distributionlock.key;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributionlock.LockContext;
import io.distributionlock.annotation.DistributionLock;
import io.distributionlock.annotation.DistributionLockParam;
import io.distributionlock.testing.LockContextRunner;
import java.io.File;
import java.util.EventObject;
import java.util.List;
import java.util.Set;
import net.bytebuddy.ByteBuddy;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.context.ApplicationEvent;

/** Only known types of the JDK have a text; what merely looks like one of its types, or extends one, may have a text of its own. */
@Tag("boot4")
class JdkTypesTest {

    private static void with(Use use) {
        LockContextRunner.local(Service.class).run(context -> use.on(context.getBean(Service.class)));
    }

    @FunctionalInterface
    private interface Use {
        void on(Service service) throws Exception;
    }

    /** As javax.money is, and much of javax besides. */
    @Test
    void aLibraryMayHavePackagesLikeThoseOfTheJdk() {
        with(service -> {
            for (String name : List.of("javax.money.Amount", "com.sun.mail.Address", "sun.flower.Seed")) {
                Object value = new ByteBuddy()
                        .subclass(Printing.class)
                        .name(name)
                        .make()
                        .load(getClass().getClassLoader())
                        .getLoaded()
                        .getConstructor()
                        .newInstance();
                assertThat(service.alone(value)).isEqualTo("k:printed");
            }
        });
    }

    @Test
    void aClassMayExtendOneOfTheJdkWhoseFieldsPrint() {
        with(service -> {
            assertThat(service.alone(new Happened(Set.of()))).isEqualTo("k:happened");
            assertThat(service.alone(new Listened(Set.of()))).isEqualTo("k:listened");
            assertThat(service.alone(new OwnFile())).isEqualTo("k:file");
        });
        LockContextRunner.local(DeclaredEvents.class)
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void theOthersAreRefusedWithTheReason() {
        String reason = ", which extends java.lang.Throwable, of whose fields its toString() may print any. ";
        with(service -> assertThatThrownBy(() -> service.alone(new OwnException()))
                .isInstanceOf(LockKeyException.class)
                .hasMessageContaining("is a " + OwnException.class.getName() + reason));
        LockContextRunner.local(DeclaredException.class)
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasMessageContaining("is a " + OwnException.class.getName() + reason));
    }

    public static class Printing {
        @Override
        public String toString() {
            return "printed";
        }
    }

    static class Happened extends ApplicationEvent {
        Happened(Object source) {
            super(source);
        }

        @Override
        public String toString() {
            return "happened";
        }
    }

    static class Listened extends EventObject {
        Listened(Object source) {
            super(source);
        }

        @Override
        public String toString() {
            return "listened";
        }
    }

    static class OwnFile extends File {
        OwnFile() {
            super("x");
        }

        @Override
        public String toString() {
            return "file";
        }
    }

    static class OwnException extends RuntimeException {
        @Override
        public String toString() {
            return "own";
        }
    }

    static class Service {

        @DistributionLock(key = "k")
        public String alone(@DistributionLockParam Object value) {
            return LockContext.leases().get(0).name();
        }
    }

    static class DeclaredEvents {

        @DistributionLock(key = "k")
        public void on(@DistributionLockParam Happened event, @DistributionLockParam Listened other) {}
    }

    static class DeclaredException {

        @DistributionLock(key = "k")
        public void on(@DistributionLockParam OwnException exception) {}
    }
}
