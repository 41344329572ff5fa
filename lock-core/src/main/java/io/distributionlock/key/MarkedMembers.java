package io.distributionlock.key;

import io.distributionlock.annotation.DistributionLock;
import io.distributionlock.internal.TypeHierarchy;
import java.beans.Introspector;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Parameter;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.core.ParameterNameDiscoverer;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.util.ClassUtils;

/**
 * The members of a class that are marked as parts of a lock's name, read once per class. A property counts once, even if it is
 * marked on its field and its getter (as a record component always is), or on a constructor's parameter. A mark on anything that is
 * not a property, such as a setter, is refused, not ignored.
 */
final class MarkedMembers {

    private static final ParameterNameDiscoverer NAMES = new DefaultParameterNameDiscoverer();

    private static final ClassValue<List<MarkedMember>> MEMBERS = new ClassValue<>() {
        @Override
        protected List<MarkedMember> computeValue(Class<?> type) {
            return read(type);
        }
    };

    private MarkedMembers() {}

    /** A property of an object that is part of a lock's name; or what is none, although it is marked as one. */
    record MarkedMember(String property, Mark mark) {}

    /** The marked members in the order of the name. */
    static List<MarkedMember> of(Class<?> type) {
        return MEMBERS.get(type);
    }

    private static List<MarkedMember> read(Class<?> type) {
        Map<String, Mark> found = new LinkedHashMap<>();
        Deque<Class<?>> fromTheTop = new ArrayDeque<>();
        TypeHierarchy.of(type).forEach(fromTheTop::push);
        for (Class<?> declaring : fromTheTop) {
            Map<String, Mark> ofConstructors = ofConstructors(declaring);
            for (Field field : declaring.getDeclaredFields()) {
                String property = field.getName();
                add(found, field, property);
                if (ofConstructors.containsKey(property)) {
                    found.putIfAbsent(property, ofConstructors.get(property));
                }
            }
            ofConstructors.forEach(found::putIfAbsent);
        }
        for (Class<?> declaring : fromTheTop) {
            for (Method method : declaring.getDeclaredMethods()) {
                if (!method.isSynthetic()) {
                    addMethod(found, method);
                }
            }
        }
        List<MarkedMember> members = new ArrayList<>();
        found.forEach((property, mark) -> members.add(new MarkedMember(property, mark)));
        members.sort(Comparator.comparingInt(member -> member.mark().order()));
        return List.copyOf(members);
    }

    /** Kotlin marks a parameter of the constructor by {@code class Order(@DistributionLockParam val id: String)}. */
    private static Map<String, Mark> ofConstructors(Class<?> declaring) {
        Map<String, Mark> found = new LinkedHashMap<>();
        for (Constructor<?> constructor : declaring.getDeclaredConstructors()) {
            Parameter[] parameters = constructor.getParameters();
            for (int i = 0; i < parameters.length; i++) {
                Mark mark = Mark.on(parameters[i]);
                if (mark != null) {
                    String[] names = NAMES.getParameterNames(constructor);
                    found.putIfAbsent(names == null ? "constructor parameter " + (i + 1) : names[i], mark);
                }
            }
        }
        return found;
    }

    private static void addMethod(Map<String, Mark> found, Method method) {
        if (method.getParameterCount() == 0) {
            // Only a public getter is read. Its property may be a field besides, with another value.
            add(found, method, Modifier.isPublic(method.getModifiers()) ? propertyOf(method) : method.getName() + "()");
            return;
        }
        String setter = method.getName() + "(…)";
        add(found, method, setter);
        if (method.getName().startsWith("set")
                && !MergedAnnotations.from(method).isPresent(DistributionLock.class)) {
            add(found, method.getParameters()[0], setter);
        }
    }

    /** {@code id} for {@code getId()}, and for the accessor {@code id()} of a record. */
    private static String propertyOf(Method method) {
        String name = method.getName();
        boolean isBoolean = ClassUtils.resolvePrimitiveIfNecessary(method.getReturnType()) == Boolean.class;
        int prefix = name.startsWith("get") ? 3 : isBoolean && name.startsWith("is") ? 2 : 0;
        boolean prefixed = prefix > 0 && name.length() > prefix && !Character.isLowerCase(name.charAt(prefix));
        return prefixed ? Introspector.decapitalize(name.substring(prefix)) : name;
    }

    private static void add(Map<String, Mark> found, AnnotatedElement element, String property) {
        Mark mark = Mark.on(element);
        if (mark != null) {
            found.putIfAbsent(property, mark);
        }
    }
}
