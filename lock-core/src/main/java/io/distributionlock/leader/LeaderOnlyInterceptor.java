package io.distributionlock.leader;

import io.distributionlock.annotation.InvalidLockDefinitionException;
import io.distributionlock.annotation.LeaderOnly;
import io.distributionlock.annotation.LockProblem;
import io.distributionlock.internal.MessageText;
import io.distributionlock.internal.MethodText;
import io.distributionlock.internal.Placeholders;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.MethodClassKey;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.util.function.SingletonSupplier;

/** Skips a call on an instance that does not lead. Looks up the elections at the first call. */
final class LeaderOnlyInterceptor implements MethodInterceptor {

    private static final Log log = LogFactory.getLog(LeaderOnly.class);

    private final ConfigurableListableBeanFactory beans;
    private final Supplier<Map<String, LeaderElection>> elections;
    private final Map<MethodClassKey, LeaderElection> byMethod = new ConcurrentHashMap<>();

    LeaderOnlyInterceptor(ConfigurableListableBeanFactory beans) {
        this.beans = beans;
        this.elections =
                SingletonSupplier.of(() -> BeanFactoryUtils.beansOfTypeIncludingAncestors(beans, LeaderElection.class));
    }

    /** The elections by the names of their beans. */
    Map<String, LeaderElection> elections() {
        return elections.get();
    }

    @Override
    public @Nullable Object invoke(MethodInvocation call) throws Throwable {
        Object target = call.getThis();
        Class<?> type = target == null ? call.getMethod().getDeclaringClass() : AopUtils.getTargetClass(target);
        MethodClassKey key = new MethodClassKey(call.getMethod(), type);
        LeaderElection election = byMethod.get(key);
        if (election == null) {
            // Not computeIfAbsent: an election may be created here.
            election = electionOf(AopUtils.getMostSpecificMethod(call.getMethod(), type));
            byMethod.put(key, election);
        }
        if (election.isLeader()) {
            return call.proceed();
        }
        log.debug("Skipped " + MethodText.of(call.getMethod()) + ", because this instance does not lead");
        return null;
    }

    /** @throws InvalidLockDefinitionException if the annotation names no election of this application */
    LeaderElection electionOf(Method method) {
        String written = Objects.requireNonNull(AnnotatedElementUtils.findMergedAnnotation(method, LeaderOnly.class))
                .value();
        String name;
        try {
            name = new Placeholders(beans).resolve(written);
        } catch (IllegalArgumentException e) {
            throw invalid(
                    method,
                    written,
                    " has a placeholder that cannot be resolved: " + MessageText.sentence(e),
                    "Set the property, or give the placeholder a default: ${property:default}.");
        }
        Map<String, LeaderElection> byName = new TreeMap<>();
        elections().values().forEach(election -> byName.put(election.name(), election));
        LeaderElection election = byName.get(name);
        if (election == null) {
            throw invalid(
                    method,
                    written,
                    " names the election '" + MessageText.of(name) + "', which this application does not have.",
                    "Add the name to distribution-lock.leader.elections, or declare a LeaderElection bean with it."
                            + " Elections so far: " + MessageText.of(byName.keySet()) + ".");
        }
        return election;
    }

    private static InvalidLockDefinitionException invalid(Method method, String written, String what, String action) {
        String place = "@LeaderOnly(\"" + MessageText.of(written) + "\") on " + MethodText.of(method);
        return new InvalidLockDefinitionException(List.of(new LockProblem(place + what, action)));
    }
}
