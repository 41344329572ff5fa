package io.distributionlock.autoconfigure;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.Map;
import java.util.Objects;
import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.Conditional;
import org.springframework.core.type.AnnotatedTypeMetadata;

/**
 * Matches if a property is true or false by Spring Boot's conversion, as when it is bound: {@code off}, {@code no} and {@code 0} are false.
 * (Spring Boot's {@code @ConditionalOnBooleanProperty} compares the text.)
 */
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.METHOD})
@Conditional(ConditionalOnSwitch.OnSwitch.class)
@interface ConditionalOnSwitch {

    /** The name of the property, without its prefix. */
    String value();

    /** What it has to be. */
    boolean havingValue() default true;

    /** What it is if it is not set. */
    boolean defaultValue();

    /** Compares the property with the annotation. */
    class OnSwitch extends SpringBootCondition {

        @Override
        public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
            Map<String, Object> wanted =
                    Objects.requireNonNull(metadata.getAnnotationAttributes(ConditionalOnSwitch.class.getName()));
            String name = LockProperties.PREFIX + "." + wanted.get("value");
            Object value =
                    context.getEnvironment().getProperty(name, Boolean.class, (Boolean) wanted.get("defaultValue"));
            return new ConditionOutcome(
                    value.equals(wanted.get("havingValue")),
                    ConditionMessage.forCondition(ConditionalOnSwitch.class).because(name + " is " + value));
        }
    }
}
