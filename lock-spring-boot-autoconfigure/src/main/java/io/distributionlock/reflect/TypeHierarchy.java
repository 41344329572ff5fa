package io.distributionlock.reflect;

import io.distributionlock.internal.Internal;
import java.security.CodeSource;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * A class, its superclasses and all its interfaces, nearest first, without those of the JDK.
 *
 * @hidden
 */
@Internal
public final class TypeHierarchy {

    private static final Pattern JAR_OF_SPRING = Pattern.compile(".*/spring-[^/]*\\.jar(!/)?");

    private static final ClassValue<Boolean> FROM_JAR_OF_SPRING = new ClassValue<>() {
        @Override
        protected Boolean computeValue(Class<?> type) {
            CodeSource source = type.getProtectionDomain().getCodeSource();
            return source != null
                    && source.getLocation() != null
                    && JAR_OF_SPRING.matcher(source.getLocation().getPath()).matches();
        }
    };

    private TypeHierarchy() {}

    public static Set<Class<?>> of(Class<?> type) {
        Set<Class<?>> types = new LinkedHashSet<>();
        Deque<Class<?>> interfaces = new ArrayDeque<>();
        for (Class<?> current = type; current != null; current = current.getSuperclass()) {
            addUnlessOfJdk(types, current);
            Collections.addAll(interfaces, current.getInterfaces());
        }
        while (!interfaces.isEmpty()) {
            Class<?> current = interfaces.remove();
            if (addUnlessOfJdk(types, current)) {
                Collections.addAll(interfaces, current.getInterfaces());
            }
        }
        return types;
    }

    private static boolean addUnlessOfJdk(Set<Class<?>> types, Class<?> type) {
        return !type.getName().startsWith("java.") && types.add(type);
    }

    /**
     * Whether a class is one of Spring's, which have no annotation of this library. Most beans of a small application are. The name is not
     * enough: an application may use a package of this name, as Spring's samples do; but it does not come in a jar of Spring.
     */
    static boolean isOfSpring(Class<?> type) {
        return type.getName().startsWith("org.springframework.") && FROM_JAR_OF_SPRING.get(type);
    }
}
