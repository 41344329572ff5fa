package io.distributionlock.key;

import io.distributionlock.annotation.InvalidLockDefinitionException;
import io.distributionlock.annotation.LockProblem;
import io.distributionlock.internal.ElectionLocks;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;

/** The key, followed by the values of the marked parameters and members: {@code updateOrderStatus:A1001}. */
final class StandardLockKeyResolver implements LockKeyResolver {

    private static final Log log = LogFactory.getLog(StandardLockKeyResolver.class);

    private final ConfigurableBeanFactory beanFactory;
    private final Map<LockDeclaration, NamePlan> plans = new ConcurrentHashMap<>();
    private final Set<String> warned = ConcurrentHashMap.newKeySet();

    StandardLockKeyResolver(ConfigurableBeanFactory beanFactory) {
        this.beanFactory = beanFactory;
    }

    /** How the names of one lock are built. */
    private record NamePlan(LockDeclaration declaration, KeyTemplate template, KeyParts parts) {

        List<String> names(LockInvocation invocation) {
            List<String> endings = parts.endings(invocation.arguments());
            if (endings.isEmpty()) {
                return List.of();
            }
            String key = template.text(invocation);
            parts.requireShort(key, endings);
            // Without a stream, because nearly every call has one name, and its cost is counted in bytes.
            return endings.size() == 1
                    ? List.of(name(key + endings.get(0)))
                    : endings.stream().map(ending -> name(key + ending)).toList();
        }

        boolean beginsLikeAnElection() {
            String delimiter = parts.most() > 0 ? declaration.annotation().delimiter() : "";
            return (template.text() + delimiter).startsWith(ElectionLocks.PREFIX);
        }

        private String name(String whole) {
            if (whole.startsWith(ElectionLocks.PREFIX)) {
                throw LockKeyException.of(
                        declaration.method(),
                        "it begins with '" + ElectionLocks.PREFIX
                                + "', as only the locks of elections do. Begin the key with a text of your own.",
                        null);
            }
            if (whole.isBlank()) {
                throw LockKeyException.of(
                        declaration.method(), "it is blank. Begin the key with a text of your own.", null);
            }
            return NameEncoding.shortened(whole);
        }
    }

    @Override
    public List<String> resolve(LockInvocation invocation) {
        NamePlan plan = plans.get(invocation.declaration());
        if (plan == null) {
            List<LockProblem> problems = new ArrayList<>();
            plan = planOf(invocation.declaration(), problems);
            if (plan == null) {
                throw new InvalidLockDefinitionException(problems);
            }
            plans.put(invocation.declaration(), plan);
        }
        return plan.names(invocation);
    }

    @Override
    public List<LockProblem> check(LockDeclaration declaration) {
        List<LockProblem> problems = new ArrayList<>();
        NamePlan plan = planOf(declaration, problems);
        if (plan != null) {
            String place = declaration.place();
            problems.addAll(plan.template().check());
            if (plan.beginsLikeAnElection()) {
                problems.add(new LockProblem(
                        place + ": the lock would have a name that begins with '" + ElectionLocks.PREFIX
                                + "', as only the locks of elections do.",
                        "Change the '" + declaration.names().nameOf("key") + "'."));
            }
            problems.addAll(plan.parts().check(place));
            if (plan.template().isLiteral() && plan.parts().most() == 0) {
                warnOnce(MarkCheck.warningOf(declaration));
            }
        }
        return problems;
    }

    /** Warns once of a class, although several beans may be of it. */
    private void warnOnce(@Nullable String warning) {
        if (warning != null && warned.add(warning)) {
            log.warn(warning);
        }
    }

    private @Nullable NamePlan planOf(LockDeclaration declaration, List<LockProblem> problems) {
        KeyTemplate template = KeyTemplate.of(declaration, beanFactory, problems);
        String delimiter = declaration.annotation().delimiter();
        if (!NameEncoding.canEscape(delimiter)) {
            problems.add(new LockProblem(
                    declaration.place() + ": the delimiter '" + delimiter
                            + "' begins with a letter, a digit or a '%', which also stand in the parts of a name.",
                    "Set 'delimiter' to a sign such as ':' or '/'."));
            return null;
        }
        return template == null ? null : new NamePlan(declaration, template, KeyParts.of(declaration));
    }
}
