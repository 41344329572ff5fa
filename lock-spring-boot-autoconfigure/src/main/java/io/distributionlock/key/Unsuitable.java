package io.distributionlock.key;

import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.springframework.beans.BeanUtils;
import org.springframework.util.ClassUtils;

/** What is wrong with a type in the name of a lock, and what to mark instead. */
final class Unsuitable {

    private static final Set<ValueKind> SINGLE =
            EnumSet.of(ValueKind.PRINTED, ValueKind.CHARACTERS, ValueKind.ENUM, ValueKind.NUMBER, ValueKind.ZONED);

    private static final int MOST_SUGGESTIONS = 3;

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
            case NO_TEXT, OPEN -> name + "which has no toString() of its own, so its text differs for equal values";
            case SET, MAP -> name + "whose toString() has another order in another process";
            case OLD_DATE -> name + "whose toString() has the time zone of its process";
            default -> name + "which has no text that is the same in every process";
        };
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

    /** What to mark instead of a value of a type. */
    static String cure(Class<?> type) {
        List<String> usable = properties(type)
                .filter(property -> SINGLE.contains(ValueKind.of(property.type())))
                .map(Property::name)
                .distinct()
                .sorted((a, b) -> Boolean.compare(b.equals("id"), a.equals("id")))
                .limit(MOST_SUGGESTIONS)
                .toList();
        if (usable.isEmpty()) {
            return "Mark another value that stands for it, such as its text.";
        }
        String names = usable.stream().map(name -> "'" + name + "'").collect(Collectors.joining(", "));
        return "Mark one of its values instead, such as " + names + " (path = \"" + usable.get(0)
                + "\", or @DistributionLockParam on it).";
    }

    private record Property(String name, Class<?> type) {}

    private static Stream<Property> properties(Class<?> type) {
        if (type.isArray() || ClassUtils.isPrimitiveOrWrapper(type)) {
            return Stream.empty();
        }
        Stream<Property> components = ValueComponents.of(type).stream()
                .map(component ->
                        new Property(component.name(), component.accessor().getReturnType()));
        Stream<Property> getters = Stream.of(BeanUtils.getPropertyDescriptors(type))
                .filter(property -> property.getReadMethod() != null)
                .map(property -> new Property(property.getName(), property.getPropertyType()));
        Stream<Property> fields =
                OwnFields.of(type).fields().stream().map(field -> new Property(field.getName(), field.getType()));
        return Stream.of(components, getters, fields).flatMap(each -> each);
    }
}
