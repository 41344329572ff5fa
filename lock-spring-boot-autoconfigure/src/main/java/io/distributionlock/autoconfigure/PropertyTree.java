package io.distributionlock.autoconfigure;

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

/** Which properties there are below {@code distribution-lock}, as the records of {@link LockProperties} have them. */
sealed interface PropertyTree {

    /** Stands for the keys of a map in the names of properties. */
    String ANY = "*";

    /** A value, or a list of values. */
    record Leaf(boolean isList) implements PropertyTree {}

    /** Properties by name, with dashes. */
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

    /** The same below each key. */
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

    /** The name as Spring compares it: without dashes and the like, in small letters. */
    static String uniform(String name) {
        return name.replaceAll("[^A-Za-z0-9]", "").toLowerCase(Locale.ROOT);
    }

    /** How the elements of a name are compared, from this one on. */
    static List<String> uniform(ConfigurationPropertyName name, int start) {
        List<String> elements = new ArrayList<>();
        for (int i = start; i < name.getNumberOfElements(); i++) {
            elements.add(name.getElement(i, Form.UNIFORM));
        }
        return elements;
    }

    /** Whether Spring binds a property whose name goes on like this, in any of its relaxed forms. */
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

    /** The same for the words of an environment variable, where nobody knows which of them belong together. */
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

    /** The names of all values from here on, element by element. */
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
