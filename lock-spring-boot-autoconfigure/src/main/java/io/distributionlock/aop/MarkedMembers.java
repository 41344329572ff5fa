package io.distributionlock.aop;

import io.distributionlock.annotation.DistributionLockParam;
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
 * The members of a class that are marked as parts of a lock's name, read once per class. A property that is marked on its
 * field and its getter, as a record component always is, counts once.
 */
final class MarkedMembers {

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
    static List<MarkedMember> of(Class<?> type) {
        return MEMBERS.get(type);
    }

    private static List<MarkedMember> read(Class<?> type) {
        Map<String, MarkedMember> found = new LinkedHashMap<>();
        Deque<Class<?>> fromTheTop = new ArrayDeque<>();
        TypeHierarchy.of(type).forEach(fromTheTop::push);
        for (Class<?> declaring : fromTheTop) {
            for (Field field : declaring.getDeclaredFields()) {
                if (!Modifier.isStatic(field.getModifiers())) {
                    add(found, field, field.getName(), () -> PropertyReader.of(type, field.getName()));
                }
            }
        }
        for (Class<?> declaring : fromTheTop) {
            for (Method method : DeclaredMethods.of(declaring)) {
                if (method.getParameterCount() == 0
                        && method.getReturnType() != void.class
                        && !method.isBridge()
                        && !Modifier.isStatic(method.getModifiers())) {
                    add(found, method, PropertyReader.propertyOf(method), () -> PropertyReader.calling(method));
                }
            }
        }
        List<MarkedMember> members = new ArrayList<>(found.values());
        members.sort(Comparator.comparingInt(member -> member.mark().order()));
        return List.copyOf(members);
    }

    private static void add(
            Map<String, MarkedMember> found,
            AnnotatedElement element,
            String property,
            Supplier<@Nullable PropertyReader> reader) {
        if (!found.containsKey(property)) {
            MergedAnnotations.from(element)
                    .get(DistributionLockParam.class)
                    .synthesize(annotation -> annotation.isPresent())
                    .ifPresent(mark -> found.put(property, new MarkedMember(property, mark, reader.get())));
        }
    }
}
