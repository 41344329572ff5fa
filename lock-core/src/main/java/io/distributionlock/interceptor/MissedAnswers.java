package io.distributionlock.interceptor;

import io.distributionlock.internal.MessageText;
import io.distributionlock.internal.MethodText;
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

    private final FailureMappers all;
    private final Collection<LockMetadata> methods;
    private final Map<String, ResolvableType> mappers;
    private final Set<String> serving = new HashSet<>();
    private final Set<String> first = new HashSet<>();
    private final List<LockMetadata> unserved = new ArrayList<>();

    MissedAnswers(FailureMappers all, Collection<LockMetadata> methods) {
        this.all = all;
        this.methods = methods;
        this.mappers = all.servedTypes(false);
    }

    /** A context without locked methods has nothing to say: its children may have some. */
    List<String> found() {
        if (methods.isEmpty()) {
            return List.of();
        }
        for (LockMetadata method : methods) {
            Optional<ServedPart> served = ServedPart.of(method.returnType(), mappers);
            if (served.isPresent()) {
                add(served.get().mappers());
            } else if (method.asksMappers()) {
                unserved.add(method);
            }
        }
        List<String> lines = new ArrayList<>();
        mappers.forEach((name, type) -> {
            if (ServedPart.says(type) && !all.isOfParent(name)) {
                lines.addAll(linesFor(name, type));
            }
        });
        return lines;
    }

    private void add(List<String> mappers) {
        serving.addAll(mappers);
        // The order of one that is made later is known later.
        first.addAll(mappers.stream().allMatch(all::exists) ? List.of(all.first(mappers)) : mappers);
    }

    private List<String> linesFor(String name, ResolvableType type) {
        String mapper = "The LockFailureMapper bean '" + MessageText.of(name) + "' answers for " + type + ", but ";
        List<LockMetadata> near = unserved.stream()
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

    private static Optional<ResolvableType> nearPart(ResolvableType served, LockMetadata method) {
        return ServedPart.parts(method.returnType()).stream()
                .filter(part -> ServedPart.areNear(served, part))
                .findFirst();
    }

    private static String action(ResolvableType served, LockMetadata near) {
        ResolvableType part = nearPart(served, near).orElse(served);
        ResolvableType wider = served.toClass().isAssignableFrom(part.toClass()) ? served : part;
        String all = wider.toClass().getSimpleName() + (wider.hasGenerics() ? "<?>" : "");
        return " If the lock is busy, the caller gets a LockNotAcquiredException. Declare a LockFailureMapper<" + all
                + "> to answer there too, or set onBusy = THROW on the method.";
    }

    private static String shown(List<LockMetadata> near) {
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
