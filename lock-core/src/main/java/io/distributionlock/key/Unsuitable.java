package io.distributionlock.key;

import java.util.Collection;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.springframework.beans.BeanUtils;
import org.springframework.core.ResolvableType;
import org.springframework.expression.Expression;
import org.springframework.util.ClassUtils;

/** What is wrong with a type in the name of a lock, and what to mark instead. */
final class Unsuitable {

    /** Every value of a declared type of these kinds has a text. */
    static final Set<ValueKind> SINGLE =
            EnumSet.of(ValueKind.PRINTED, ValueKind.CHARACTERS, ValueKind.NUMBER, ValueKind.ZONED);

    private static final List<String> LIKELY = List.of("id", "code", "number", "name");

    /** Names of locks are seen in logs and in Redis. */
    private static final Pattern SECRET = Pattern.compile("(?i)password|secret|credential");

    /** Of an expression to which a further step can be appended. */
    private static final Pattern PATH = Pattern.compile("[#@][\\w.#()]+");

    private static final int MAX_SUGGESTIONS = 3;

    /** For what a {@code toString()} may print. */
    static final String UNLESS_TRANSIENT = " (make the field transient if toString() does not print it)";

    private Unsuitable() {}

    /** Whether a type holds many values, which alone make no name. */
    static boolean isMany(Class<?> type) {
        return type.isArray() || Collection.class.isAssignableFrom(type) || Map.class.isAssignableFrom(type);
    }

    /** {@code a java.net.URL, which …} */
    static String clause(Class<?> type, ValueKind kind) {
        String name = "a " + (type.isArray() ? type.getSimpleName() : type.getName()) + ", ";
        return switch (kind) {
            case ARRAY -> name + "whose text differs for equal values";
            case LATER -> name + "whose value is not there yet when the method is called";
            case NO_TEXT, OPEN -> name + "which has no toString() of its own, so its text differs for equal values";
            case SET, MAP -> name + "whose toString() has another order in another process";
            case OLD_DATE -> name + "whose toString() has the time zone of its process";
            default -> name + "which has no text that is the same in every process";
        };
    }

    /** {@code an OwnException, which extends java.lang.Throwable, …} */
    static String clauseOfParent(Class<?> type, Class<?> parent) {
        return "a " + type.getName() + ", which extends " + parent.getName()
                + ", of whose fields its toString() may print any";
    }

    /**
     * The whole complaint.
     *
     * @param path from the value to what is wrong in it; empty for the value itself
     */
    static String sentence(Class<?> root, String path, String clause) {
        return path.isEmpty()
                ? "is " + clause + "."
                : "is a " + root.getName() + ", whose '" + path + "' is " + clause + ".";
    }

    /** What to do about a value of a type that is marked by {@code mark}, or is an element of what that marks. */
    static String action(Class<?> type, Mark mark) {
        if (ValueKind.of(type) == ValueKind.LATER) {
            return "Mark a parameter whose value is there at the call, such as an id.";
        }
        List<String> names = readable(type, new ArgumentProperties());
        if (names.isEmpty()) {
            return "Mark another value that stands for it, such as its text.";
        }
        // A path leads on from a collection, not from its elements.
        String path = mark.each()
                ? ""
                : "path = \"" + (mark.path().isEmpty() ? "" : mark.path() + ".") + names.get(0) + "\", or ";
        return "Mark one of its values instead, such as '" + String.join("', '", names) + "' (" + path
                + "@DistributionLockParam on it).";
    }

    /** What to do about a value of a type that an expression has. */
    static String action(Class<?> type, Expression expression) {
        List<String> names = readable(type, new DeclaredProperties());
        if (names.isEmpty()) {
            return "Use another value that stands for it, such as its text.";
        }
        String text = expression.getExpressionString();
        return "Read one of its values instead, such as "
                + (PATH.matcher(text).matches() ? "#{" + text + "." + names.get(0) + "}." : "'" + names.get(0) + "'.");
    }

    /** The properties that may tell a value from others, the likeliest first. */
    private static List<String> readable(Class<?> type, DeclaredProperties reader) {
        ResolvableType owner = ResolvableType.forClass(type);
        return properties(type)
                .filter(property -> mayIdentify(property.type()))
                .map(Property::name)
                .filter(name -> !SECRET.matcher(name).find())
                .distinct()
                .filter(name -> reader.typeOf(owner, name) != null)
                .sorted(Comparator.comparingInt(Unsuitable::rank))
                .limit(MAX_SUGGESTIONS)
                .toList();
    }

    private static boolean mayIdentify(Class<?> type) {
        return SINGLE.contains(ValueKind.of(type)) && ClassUtils.resolvePrimitiveIfNecessary(type) != Boolean.class;
    }

    private static int rank(String name) {
        int rank = LIKELY.indexOf(name);
        return rank < 0 ? LIKELY.size() : rank;
    }

    private record Property(String name, Class<?> type) {}

    private static Stream<Property> properties(Class<?> type) {
        if (type.isArray() || ValueKind.isOfJdk(type)) {
            return Stream.empty();
        }
        Stream<Property> components = ValueComponents.of(type).stream()
                .map(component ->
                        new Property(component.name(), component.accessor().getReturnType()));
        Stream<Property> getters = Stream.of(BeanUtils.getPropertyDescriptors(type))
                .filter(property -> property.getReadMethod() != null
                        && !ValueKind.isOfJdk(property.getReadMethod().getDeclaringClass()))
                .map(property -> new Property(property.getName(), property.getPropertyType()));
        Stream<Property> fields =
                OwnFields.of(type).fields().stream().map(field -> new Property(field.getName(), field.getType()));
        return Stream.of(components, getters, fields).flatMap(each -> each);
    }
}
