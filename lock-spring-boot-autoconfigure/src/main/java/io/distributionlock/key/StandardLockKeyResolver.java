package io.distributionlock.key;

import io.distributionlock.annotation.DistributionLock;
import io.distributionlock.annotation.InvalidLockDefinitionException;
import io.distributionlock.annotation.LockProblem;
import io.distributionlock.internal.ElectionLocks;
import io.distributionlock.reflect.Placeholders;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.expression.ParseException;

/** The key, followed by the values of the marked parameters and members: {@code updateOrderStatus:A1001}. */
final class StandardLockKeyResolver implements LockKeyResolver {

    private final ConfigurableBeanFactory beanFactory;
    private final Placeholders placeholders;
    private final Map<LockDeclaration, NamePlan> plans = new ConcurrentHashMap<>();

    StandardLockKeyResolver(ConfigurableBeanFactory beanFactory) {
        this.beanFactory = beanFactory;
        this.placeholders = new Placeholders(beanFactory);
    }

    /** How the names of one lock are built. */
    private record NamePlan(KeyTemplate template, KeyParts parts, String delimiter) {

        List<String> names(LockInvocation invocation) {
            List<String> endings = parts.endings(invocation.arguments());
            if (endings.isEmpty()) {
                return List.of();
            }
            String key = template.text(invocation);
            // Without a stream, because nearly every call has one name, and its cost is counted in bytes.
            return endings.size() == 1
                    ? List.of(name(key + endings.get(0)))
                    : endings.stream().map(ending -> name(key + ending)).toList();
        }

        boolean beginsLikeAnElection() {
            String begin = parts.most() > 0 ? template.text() + delimiter : template.text();
            return begin.startsWith(ElectionLocks.PREFIX);
        }

        private String name(String whole) {
            if (whole.startsWith(ElectionLocks.PREFIX)) {
                throw template.unusable("it begins with '" + ElectionLocks.PREFIX
                        + "', as only the locks of elections do. Begin the key with a text of your own.");
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
        }
        return problems;
    }

    private @Nullable NamePlan planOf(LockDeclaration declaration, List<LockProblem> problems) {
        DistributionLock annotation = declaration.annotation();
        String place = declaration.place();
        String attribute = declaration.names().nameOf("key");
        String key = annotation.key();
        try {
            key = placeholders.resolve(key);
            KeyTemplate template = KeyTemplate.of(key, declaration, beanFactory);
            if (NameEncoding.canEscape(annotation.delimiter())) {
                return new NamePlan(template, KeyParts.of(declaration), annotation.delimiter());
            }
            problems.add(new LockProblem(
                    place + ": the delimiter '" + annotation.delimiter()
                            + "' begins with a letter, a digit or a '%', which also stand in the parts of a name.",
                    "Set 'delimiter' to a sign such as ':' or '/'."));
        } catch (ParseException e) {
            problems.add(ExpressionScope.unparsable(e, place, attribute, key, ""));
        } catch (IllegalArgumentException e) {
            problems.add(ExpressionScope.unresolved(e, place, attribute, key));
        }
        return null;
    }
}
