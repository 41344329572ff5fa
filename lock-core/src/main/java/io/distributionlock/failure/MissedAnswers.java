package io.distributionlock.failure;

import io.distributionlock.internal.MessageText;
import io.distributionlock.reflect.MethodText;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.springframework.core.ResolvableType;

/** Finds mappers that serve no method, and methods that a mapper nearly serves. */
final class MissedAnswers {

    /** How many methods a line names. */
    private static final int SHOWN = 3;

    private final MapperBeans beans;
    private final Collection<RefusableMethod> methods;
    private final Map<String, ResolvableType> mappers;
    private final Set<String> serving = new HashSet<>();
    private final Set<String> first = new HashSet<>();
    private final List<RefusableMethod> unserved = new ArrayList<>();

    MissedAnswers(MapperBeans beans, Collection<RefusableMethod> methods) {
        this.beans = beans;
        this.methods = methods;
        this.mappers = beans.servedTypes(false);
    }

    /** A context without locked methods has nothing to say: its children may have some. */
    List<String> found() {
        if (methods.isEmpty()) {
            return List.of();
        }
        for (RefusableMethod method : methods) {
            Optional<ServedPart> served = ServedPart.of(method.returnType(), mappers);
            if (served.isPresent()) {
                add(served.get().mappers());
            } else if (method.asksMappers()) {
                unserved.add(method);
            }
        }
        List<String> lines = new ArrayList<>();
        mappers.forEach((name, type) -> {
            if (MapperTypes.says(type) && !beans.isOfParent(name)) {
                lines.addAll(linesFor(name, type));
            }
        });
        return lines;
    }

    private void add(List<String> mappers) {
        serving.addAll(mappers);
        // The order of one that is made later is known later.
        first.addAll(mappers.stream().allMatch(beans::exists) ? List.of(beans.first(mappers)) : mappers);
    }

    private List<String> linesFor(String name, ResolvableType type) {
        String mapper = "The LockFailureMapper bean '" + MessageText.of(name) + "' answers for " + type + ", but ";
        List<RefusableMethod> near = unserved.stream()
                .filter(method -> nearPart(type, method).isPresent())
                .toList();
        if (first.contains(name)) {
            return near.isEmpty()
                    ? List.of()
                    : List.of(mapper + "not for " + shown(near) + "." + action(type, near.get(0)));
        }
        if (serving.contains(name)) {
            return List.of(mapper + "another mapper comes first for every locked method that returns it."
                    + " Give it a smaller @Order, or remove it.");
        }
        String none = mapper + "no locked method returns that";
        return List.of(
                near.isEmpty()
                        ? none + ": they return " + returned() + ". Correct the type, or remove the bean."
                        : none + ". The nearest is " + shown(near) + "." + action(type, near.get(0)));
    }

    private static Optional<ResolvableType> nearPart(ResolvableType served, RefusableMethod method) {
        return ServedPart.parts(method.returnType()).stream()
                .filter(part -> MapperTypes.areNear(served, part))
                .findFirst();
    }

    private static String action(ResolvableType served, RefusableMethod near) {
        ResolvableType part = nearPart(served, near).orElse(served);
        ResolvableType wider = served.toClass().isAssignableFrom(part.toClass()) ? served : part;
        String all = wider.toClass().getSimpleName() + (wider.hasGenerics() ? "<?>" : "");
        return " If the lock is busy, the caller gets a LockNotAcquiredException. Declare a LockFailureMapper<" + all
                + "> to answer there too, or set onBusy = THROW on the method.";
    }

    private static String shown(List<RefusableMethod> near) {
        String named = near.stream()
                .limit(SHOWN)
                .map(method -> MethodText.of(method.method()) + ", which returns " + method.returnType())
                .collect(Collectors.joining("; "));
        int more = near.size() - SHOWN;
        return more > 0 ? named + "; and " + more + " more" : named;
    }

    private String returned() {
        return methods.stream()
                .map(method -> method.returnType().toString())
                .distinct()
                .sorted()
                .limit(SHOWN)
                .collect(Collectors.joining(", "));
    }
}
