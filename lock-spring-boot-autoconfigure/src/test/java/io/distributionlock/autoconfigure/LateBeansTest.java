package io.distributionlock.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributionlock.LockOwner;
import io.distributionlock.LockTemplate;
import io.distributionlock.annotation.DistributionLock;
import io.distributionlock.annotation.InvalidLockDefinitionException;
import io.distributionlock.testing.LockContextRunner;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** Beans that the start cannot know are checked when they are made. */
@Tag("boot4")
@ExtendWith(OutputCaptureExtension.class)
class LateBeansTest {

    private final ApplicationContextRunner application = LockContextRunner.local();

    /** Why the start does not know the class. */
    enum Late {
        REGISTERED_LATER {
            @Override
            Object make(BeanFactory beans, Class<?> type) {
                return register(beans, new RootBeanDefinition(type));
            }
        },
        REGISTERED_LATER_AS_A_PROTOTYPE {
            @Override
            Object make(BeanFactory beans, Class<?> type) {
                RootBeanDefinition definition = new RootBeanDefinition(type);
                definition.setScope(BeanDefinition.SCOPE_PROTOTYPE);
                return register(beans, definition);
            }
        },
        OF_A_FACTORY_WITHOUT_A_TYPE {
            @Override
            Object make(BeanFactory beans, Class<?> type) {
                beans.getBean(Factory.class).type = type;
                return beans.getBean("made");
            }
        },
        OF_NO_DEFINITION {
            @Override
            Object make(BeanFactory beans, Class<?> type) {
                return ((DefaultListableBeanFactory) beans).createBean(type);
            }
        };

        abstract Object make(BeanFactory beans, Class<?> type);

        private static Object register(BeanFactory beans, BeanDefinition definition) {
            DefaultListableBeanFactory registry = (DefaultListableBeanFactory) beans;
            if (!registry.containsBeanDefinition("late")) {
                registry.registerBeanDefinition("late", definition);
            }
            return beans.getBean("late");
        }
    }

    private static BeanFactory beans(AssertableApplicationContext context) {
        return context.getSourceApplicationContext().getBeanFactory();
    }

    @ParameterizedTest
    @EnumSource
    void aMistakeIsReportedEachTimeTheBeanIsMade(Late late) {
        application.withBean("made", Factory.class).run(context -> {
            assertThat(context).hasNotFailed();
            for (int i = 0; i < 2; i++) {
                assertThatThrownBy(() -> late.make(beans(context), Unreachable.class))
                        .hasRootCauseInstanceOf(InvalidLockDefinitionException.class)
                        .hasStackTraceContaining("Unreachable.update()")
                        .hasStackTraceContaining("the method is final");
            }
        });
    }

    @ParameterizedTest
    @EnumSource
    void aMistakeIsOnlyLoggedIfThePropertySaysSo(Late late, CapturedOutput output) {
        application
                .withBean("made", Factory.class)
                .withPropertyValues("distribution-lock.validation=warn")
                .run(context ->
                        assertThat(late.make(beans(context), Unreachable.class)).isNotNull());
        assertThat(output).contains("RUNS UNLOCKED: ").contains("Unreachable.update()");
    }

    @ParameterizedTest
    @EnumSource
    void whatIsRightIsLocked(Late late, CapturedOutput output) {
        application.withBean("made", Factory.class).run(context -> {
            Right right = (Right) late.make(beans(context), Right.class);
            LockTemplate locks = context.getBean(LockTemplate.class);
            right.update(() -> assertThat(locks.holdCount("right", LockOwner.currentThread()))
                    .isOne());
        });
        assertThat(output).doesNotContain("UNLOCKED");
    }

    @Test
    void whatTheStartKnowsIsReportedOnce(CapturedOutput output) {
        application
                .withBean("lazy", Unreachable.class, Unreachable::new, definition -> definition.setLazyInit(true))
                .withPropertyValues("distribution-lock.validation=warn")
                .run(context -> context.getBean("lazy"));
        assertThat(output.getOut().split("RUNS UNLOCKED", -1)).hasSize(2);
    }

    static class Unreachable {

        @DistributionLock(key = "unreachable")
        public final void update() {}
    }

    static class Right {

        @DistributionLock(key = "right")
        public void update(Runnable work) {
            work.run();
        }
    }

    static class Factory implements FactoryBean<Object> {

        private Class<?> type = Object.class;

        @Override
        public Object getObject() throws Exception {
            return type.getDeclaredConstructor().newInstance();
        }

        @Override
        public Class<?> getObjectType() {
            return null;
        }
    }
}
