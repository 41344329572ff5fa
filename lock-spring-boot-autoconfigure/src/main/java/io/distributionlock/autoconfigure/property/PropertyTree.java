package io.distributionlock.autoconfigure.property;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName.Form;

/** The properties below {@code distribution-lock}, read from the records of {@link LockProperties}. */
sealed interface PropertyTree {

    /** Stands for any key of a map. */
    String ANY = "*";

    /** A value, or a list of values. */
    record Leaf(boolean isList) implements PropertyTree {}

    /** Properties by name, in kebab case. */
    record Group(Map<String, PropertyTree> members) implements PropertyTree {

        @Nullable
        PropertyTree member(String uniform) {
            for (Map.Entry<String, PropertyTree> member : members.entrySet()) {
                if (PropertyTree.uniform(member.getKey()).equals(uniform)) {
                    return member.getValue();
                }
            }
            return null;
        }
    }

    /** A map: the same properties below each key. */
    record Keyed(PropertyTree each) implements PropertyTree {}

    static PropertyTree ofLibrary() {
        return of(LockProperties.class);
    }

    private static PropertyTree of(Type type) {
        if (type instanceof ParameterizedType generic) {
            Type[] arguments = generic.getActualTypeArguments();
            return generic.getRawType() == Map.class ? new Keyed(of(arguments[1])) : new Leaf(true);
        }
        if (!(type instanceof Class<?> record) || !record.isRecord()) {
            return new Leaf(false);
        }
        Map<String, PropertyTree> members = new LinkedHashMap<>();
        for (RecordComponent component : record.getRecordComponents()) {
            members.put(dashed(component.getName()), of(component.getGenericType()));
        }
        return new Group(members);
    }

    private static String dashed(String name) {
        return name.replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
    }

    /** The name in the form that Spring compares: lower-case letters and digits only. */
    static String uniform(String name) {
        return name.replaceAll("[^A-Za-z0-9]", "").toLowerCase(Locale.ROOT);
    }

    /** The elements of a name from this one on, in the form that is compared. */
    static List<String> uniform(ConfigurationPropertyName name, int start) {
        List<String> elements = new ArrayList<>();
        for (int i = start; i < name.getNumberOfElements(); i++) {
            elements.add(name.getElement(i, Form.UNIFORM));
        }
        return elements;
    }

    /** Whether Spring binds a property whose name continues with these elements, in any relaxed form. */
    default boolean has(List<String> elements) {
        if (elements.isEmpty()) {
            return true;
        }
        List<String> rest = elements.subList(1, elements.size());
        if (this instanceof Group group) {
            PropertyTree member = group.member(elements.get(0));
            return member != null && member.has(rest);
        }
        if (this instanceof Keyed keyed) {
            return keyed.each().has(rest);
        }
        return ((Leaf) this).isList() && rest.isEmpty() && elements.get(0).matches("\\d+");
    }

    /** The same for the words of an environment variable, whose grouping into elements is unknown. */
    default boolean hasWords(List<String> words) {
        if (this instanceof Leaf leaf) {
            return words.isEmpty()
                    || leaf.isList() && words.size() == 1 && words.get(0).matches("\\d+");
        }
        for (int end = 1; end <= words.size(); end++) {
            PropertyTree next = this instanceof Keyed keyed
                    ? keyed.each()
                    : ((Group) this).member(String.join("", words.subList(0, end)));
            if (next != null && next.hasWords(words.subList(end, words.size()))) {
                return true;
            }
        }
        return false;
    }

    /** The names of all values below this, element by element. */
    default List<List<String>> leaves() {
        List<List<String>> leaves = new ArrayList<>();
        if (this instanceof Group group) {
            group.members().forEach((name, member) -> addBelow(name, member, leaves));
        } else if (this instanceof Keyed keyed) {
            addBelow(ANY, keyed.each(), leaves);
        } else {
            leaves.add(List.of());
        }
        return leaves;
    }

    private static void addBelow(String name, PropertyTree below, List<List<String>> leaves) {
        for (List<String> leaf : below.leaves()) {
            List<String> path = new ArrayList<>(List.of(name));
            path.addAll(leaf);
            leaves.add(path);
        }
    }
}
