package io.distributionlock.key;

import io.distributionlock.annotation.LockProblem;
import io.distributionlock.internal.KotlinMethods;
import io.distributionlock.internal.MessageText;
import io.distributionlock.internal.MethodText;
import io.distributionlock.key.KeyParts.MarkedParameter;
import io.distributionlock.key.MarkedMembers.MarkedMember;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.BaseStream;
import org.jspecify.annotations.Nullable;
import org.springframework.core.KotlinDetector;
import org.springframework.core.ResolvableType;

/** Finds what is wrong with the marks on the parameters of a method, and on the members of their declared types. */
final class MarkCheck {

    private static final List<Class<?>> CONTAINERS =
            List.of(Iterable.class, Iterator.class, BaseStream.class, Map.class, Map.Entry.class, Optional.class);

    private final Method method;
    private final String place;
    private final ArgumentProperties properties = new ArgumentProperties();
    private final List<LockProblem> problems = new ArrayList<>();

    /** @param place where the lock is declared, for messages */
    MarkCheck(Method method, String place) {
        this.method = method;
        this.place = place;
    }

    List<LockProblem> check(List<MarkedParameter> parameters) {
        for (MarkedParameter parameter : parameters) {
            if (parameter.mark() == null) {
                checkMembers(parameter.type(), parameter.description(), 0);
            } else if (hasPath(parameter)) {
                checkMarked(parameter.type(), parameter.mark(), parameter.description(), 0);
            }
        }
        for (int i = 0; i < KotlinMethods.parametersOf(method); i++) {
            int index = i;
            if (parameters.stream().noneMatch(marked -> marked.index() == index && marked.mark() != null)) {
                checkValueClass(index);
            }
        }
        return problems;
    }

    /** @param start the type of what is marked, or of what its path begins at */
    private void checkMarked(ResolvableType start, Mark mark, String description, int depth) {
        ResolvableType declared = ArgumentProperties.opened(properties.typeAt(start, mark.path()));
        String marked = mark.path().isEmpty() ? description : "'" + mark.path() + "' of " + description;
        if (mark.allowEmpty() && !mark.each()) {
            add(
                    marked + " has 'allowEmpty = true' without 'each = true'.",
                    "Set 'each = true' as well, or remove 'allowEmpty'.");
        }
        Class<?> type = declared.resolve(Object.class);
        if (!mark.each()) {
            checkValue(
                    declared,
                    marked,
                    "Set 'each = true' to lock every element on its own, or mark a single value.",
                    mark,
                    depth);
        } else if (type.isArray() || Collection.class.isAssignableFrom(type)) {
            ResolvableType element = ArgumentProperties.opened(KeyParts.elementOf(declared));
            checkValue(element, "an element of " + marked, "Mark a single value of it.", mark, depth);
        } else if (type != Object.class && type != Iterable.class) {
            add(
                    marked + " has 'each = true', but is not a collection or an array.",
                    "Remove 'each', or make it a collection or an array.");
        }
    }

    /** @param actionForMany what to do if it is a collection or an array */
    private void checkValue(ResolvableType declared, String place, String actionForMany, Mark mark, int depth) {
        Class<?> type = declared.resolve(Object.class);
        if (Unsuitable.isMany(type)) {
            boolean isMap = Map.class.isAssignableFrom(type);
            add(
                    place + " holds many values, not one.",
                    isMap ? "Set 'path' to a key of the map, or mark a single value." : actionForMany);
        } else if (!MarkedMembers.of(type).isEmpty()) {
            checkMembers(declared, place, depth);
        } else {
            String complaint = DeclaredText.complaintOf(declared);
            if (complaint != null) {
                add(place + " " + complaint, Unsuitable.action(type, mark));
            }
        }
    }

    private boolean hasPath(MarkedParameter parameter) {
        String missing = properties.missingStep(parameter.type(), parameter.path());
        if (missing != null) {
            add(
                    "the path '" + parameter.path() + "' of " + parameter.description() + " has no step '" + missing
                            + "'.",
                    "Set 'path' to properties that exist, each with a getter, an accessor or a field.");
        }
        return missing == null;
    }

    private void checkMembers(ResolvableType owner, String place, int depth) {
        Class<?> type = owner.resolve(Object.class);
        if (KotlinDetector.isInlineClass(type) || depth == KeyParts.MAX_DEPTH) {
            return;
        }
        for (MarkedMember member : MarkedMembers.of(type)) {
            String name = "'" + member.property() + "' of " + place;
            ResolvableType declared = properties.typeOf(owner, member.property());
            if (declared == null) {
                add(
                        name + " cannot be read.",
                        "Give it a public accessor, or open its package to this library. For a constructor's parameter"
                                + " without a name, compile with '-parameters' ('-java-parameters' in Kotlin).");
            } else if (properties.missingStep(declared, member.mark().path()) == null) {
                checkMarked(declared, member.mark(), name, depth + 1);
            }
        }
    }

    /**
     * Finds a parameter without a mark that holds objects with marked members, which have no effect there. To be asked if nothing else makes
     * the name, so that all calls share one lock. That may be meant, so it is a warning; {@code null} if there is none.
     */
    static @Nullable String warningOf(LockDeclaration declaration) {
        for (int i = 0; i < KotlinMethods.parametersOf(declaration.method()); i++) {
            ResolvableType type = declaration.parameterType(i);
            Class<?> held = heldIn(type, 0);
            if (held != null) {
                String key = declaration.annotation().key();
                return declaration.place() + ": all calls have one lock, '" + MessageText.of(key) + "', because "
                        + MethodText.parameter(declaration.method(), i) + " holds objects of " + held.getName()
                        + ", whose marked members count only in a marked parameter. For a lock of each, "
                        + wayOut(type, held) + ". If one lock is meant, write "
                        + declaration.names().nameOf("key") + " = \"#{'" + key.replace("'", "''")
                        + "'}\", which ends this warning.";
            }
        }
        return null;
    }

    private static String wayOut(ResolvableType type, Class<?> held) {
        String mark = "put @DistributionLockParam";
        if (isOf(type, held)) {
            return mark + " on the parameter";
        }
        Class<?> container = type.resolve(Object.class);
        boolean takesEach = (container.isArray() || Collection.class.isAssignableFrom(container))
                && isOf(KeyParts.elementOf(type), held);
        return (takesEach ? "" : "pass them as one collection and ") + mark + "(each = true) on the parameter";
    }

    private static boolean isOf(ResolvableType type, Class<?> held) {
        return ArgumentProperties.opened(type).resolve() == held;
    }

    /** The class with marked members inside of collections, arrays, maps and optionals; {@code null} if there is none. */
    private static @Nullable Class<?> heldIn(ResolvableType type, int depth) {
        Class<?> container = type.resolve(Object.class);
        if (depth > 0 && !MarkedMembers.of(container).isEmpty()) {
            return container;
        }
        List<ResolvableType> inside = new ArrayList<>();
        if (container.isArray()) {
            inside.add(type.getComponentType());
        }
        for (Class<?> known : CONTAINERS) {
            Collections.addAll(inside, type.as(known).getGenerics());
        }
        for (ResolvableType each : depth == KeyParts.MAX_DEPTH ? List.<ResolvableType>of() : inside) {
            Class<?> found = heldIn(each, depth + 1);
            if (found != null) {
                return found;
            }
        }
        return null;
    }

    /** Java sees what is inside of a value class of Kotlin, and not its mark: the part would be missing in silence. */
    private void checkValueClass(int index) {
        Class<?> type = ValueClasses.valueClassOf(method, index);
        if (type != null && !MarkedMembers.of(type).isEmpty()) {
            add(
                    MethodText.parameter(method, index) + " is of the value class " + type.getName()
                            + ", in which @DistributionLockParam has no effect.",
                    "Put @DistributionLockParam on the parameter, and remove it from the value class.");
        }
    }

    private void add(String complaint, String action) {
        problems.add(new LockProblem(place + ": " + complaint, action));
    }
}
