package io.distributionlock.autoconfigure.health;

import io.distributionlock.autoconfigure.LockProperties;
import io.distributionlock.quorum.QuorumLockExecutor;
import java.util.Objects;
import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.ConfigurationCondition;
import org.springframework.core.type.AnnotatedTypeMetadata;

/** Matches if any executor is a quorum, also one that is not a default candidate, which a condition on beans would miss. */
class OnQuorum extends SpringBootCondition implements ConfigurationCondition {

    @Override
    public ConfigurationPhase getConfigurationPhase() {
        return ConfigurationPhase.REGISTER_BEAN;
    }

    @Override
    public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
        String[] found = Objects.requireNonNull(context.getBeanFactory())
                .getBeanNamesForType(QuorumLockExecutor.class, true, false);
        ConditionMessage.Builder message = ConditionMessage.forCondition("Locks over several servers");
        if (!context.getEnvironment().getProperty(LockProperties.PREFIX + ".enabled", Boolean.class, true)) {
            return ConditionOutcome.noMatch(message.because("locks are disabled"));
        }
        return found.length == 0
                ? ConditionOutcome.noMatch(
                        message.didNotFind("executor of type quorum").atAll())
                : ConditionOutcome.match(message.found("executor", "executors").items((Object[]) found));
    }
}
