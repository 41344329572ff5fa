package io.distributionlock.key;

import io.distributionlock.annotation.DistributionLock;
import io.distributionlock.annotation.DistributionLockParam;
import io.distributionlock.internal.Internal;
import io.distributionlock.reflect.DeclaredMethods;
import io.distributionlock.reflect.TypeHierarchy;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.core.annotation.MergedAnnotations;

/**
 * The members of a class that are marked as parts of a lock's name, read once per class. A property counts once, even if it is
 * marked on its field and its getter (as a record component always is), or on a constructor or setter parameter. A mark on
 * anything that is not a property is refused, not ignored.
 *
 * @hidden
 */
@Internal
public final class MarkedMembers {

    private static final ClassValue<List<MarkedMember>> MEMBERS = new ClassValue<>() {
        @Override
        protected List<MarkedMember> computeValue(Class<?> type) {
            return read(type);
        }
    };

    private MarkedMembers() {}

    /**
     * A property of an object that is part of a lock's name.
     *
     * @param reader reads it, or is {@code null} if it cannot be read
     */
    record MarkedMember(
            String property,
            DistributionLockParam mark,
            @Nullable PropertyReader reader) {}

    /** The marked members in the order of the name. */
    public static List<MarkedMember> of(Class<?> type) {
        return MEMBERS.get(type);
    }

    private static List<MarkedMember> read(Class<?> type) {
        Map<String, MarkedMember> found = new LinkedHashMap<>();
        Deque<Class<?>> fromTheTop = new ArrayDeque<>();
        TypeHierarchy.of(type).forEach(fromTheTop::push);
        for (Class<?> declaring : fromTheTop) {
            Map<String, DistributionLockParam> ofConstructor = ConstructorMarks.of(declaring);
            for (Field field : declaring.getDeclaredFields()) {
                String property = field.getName();
                boolean isStatic = Modifier.isStatic(field.getModifiers());
                add(found, field, property, () -> isStatic ? null : PropertyReader.of(type, property));
                DistributionLockParam mark = ofConstructor.get(property);
                if (mark != null) {
                    add(found, mark, property, () -> PropertyReader.of(type, property));
                }
            }
            ofConstructor.forEach(
                    (property, mark) -> add(found, mark, property, () -> PropertyReader.of(type, property)));
        }
        for (Class<?> declaring : fromTheTop) {
            for (Method method : DeclaredMethods.of(declaring)) {
                if (!method.isSynthetic()) {
                    addMethod(found, method, type);
                }
            }
        }
        List<MarkedMember> members = new ArrayList<>(found.values());
        members.sort(Comparator.comparingInt(member -> member.mark().order()));
        return List.copyOf(members);
    }

    private static void addMethod(Map<String, MarkedMember> found, Method method, Class<?> type) {
        String property = PropertyReader.propertyOf(method);
        boolean isStatic = Modifier.isStatic(method.getModifiers());
        if (!isStatic && method.getParameterCount() == 0 && method.getReturnType() != void.class) {
            add(found, method, property, () -> PropertyReader.calling(method));
        } else if (!isStatic && isSetter(method)) {
            add(found, method, property, () -> PropertyReader.of(type, property));
            add(found, method.getParameters()[0], property, () -> PropertyReader.of(type, property));
        } else {
            add(found, method, method.getName() + "(…)", () -> null);
        }
    }

    private static boolean isSetter(Method method) {
        return method.getParameterCount() == 1
                && PropertyReader.isSetterName(method.getName())
                && !MergedAnnotations.from(method).isPresent(DistributionLock.class);
    }

    private static void add(
            Map<String, MarkedMember> found,
            AnnotatedElement element,
            String property,
            Supplier<@Nullable PropertyReader> reader) {
        if (element.getAnnotations().length > 0) {
            MergedAnnotations.from(element)
                    .get(DistributionLockParam.class)
                    .synthesize(annotation -> annotation.isPresent())
                    .ifPresent(mark -> add(found, mark, property, reader));
        }
    }

    private static void add(
            Map<String, MarkedMember> found,
            DistributionLockParam mark,
            String property,
            Supplier<@Nullable PropertyReader> reader) {
        if (!found.containsKey(property)) {
            found.put(property, new MarkedMember(property, mark, reader.get()));
        }
    }
}
