package io.distributionlock.key;

import io.distributionlock.key.ValueComponents.Component;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.core.ResolvableType;
import org.springframework.util.ClassUtils;

/** Finds at the start, by declared types, what {@link ValueText} would refuse at a call. */
final class DeclaredText {

    private final Set<Class<?>> seen = new HashSet<>();

    private DeclaredText() {}

    /** A sentence about a type whose values have no text; {@code null} if they may have one. */
    static @Nullable String complaintOf(ResolvableType type) {
        Class<?> root = type.resolve();
        return root == null ? null : new DeclaredText().complaint(root, "", type);
    }

    private @Nullable String complaint(Class<?> root, String path, ResolvableType declared) {
        Class<?> type = declared.resolve();
        if (type == null) {
            return null;
        }
        ValueKind kind = ValueKind.of(type);
        return switch (kind) {
            case ARRAY, LATER, NO_TEXT, UNSUITABLE -> Unsuitable.sentence(root, path, Unsuitable.clause(type, kind));
            case OPTIONAL, LIST, SET, MAP, ENTRY -> ofGenerics(root, path, declared, kind, false);
            case RECORD, DATA_CLASS -> seen.add(type) ? ofComponents(root, path, declared, false) : null;
            case VALUE_CLASS -> complaint(root, path, insideOf(type));
            case OWN_TEXT -> printed(root, path, declared, false);
            default -> null;
        };
    }

    private @Nullable String ofComponents(Class<?> root, String path, ResolvableType owner, boolean printed) {
        for (Component component : ValueComponents.of(owner.toClass())) {
            String part = step(path, component.name());
            ResolvableType inside = ResolvableType.forType(component.accessor().getGenericReturnType(), owner);
            String found = printed ? printed(root, part, inside, true) : complaint(root, part, inside);
            if (found != null) {
                return found;
            }
        }
        return null;
    }

    private @Nullable String ofGenerics(
            Class<?> root, String path, ResolvableType declared, ValueKind kind, boolean printed) {
        ResolvableType many = switch (kind) {
            case LIST, SET -> declared.as(Iterable.class);
            case MAP -> declared.as(java.util.Map.class);
            case ENTRY -> declared.as(java.util.Map.Entry.class);
            default -> declared;
        };
        for (int i = 0; i < many.getGenerics().length; i++) {
            ResolvableType inside = many.getGeneric(i);
            String part = kind == ValueKind.OPTIONAL || kind == ValueKind.LIST || kind == ValueKind.SET
                    ? path + "[]"
                    : step(path, i == 0 ? "key" : "value");
            String found = printed ? printed(root, part, inside, true) : complaint(root, part, inside);
            if (found != null) {
                return found;
            }
        }
        return null;
    }

    /** As {@link #complaint}, for what the {@code toString()} of an object around it prints. */
    private @Nullable String printed(Class<?> root, String path, ResolvableType declared, boolean isField) {
        Class<?> type = declared.resolve();
        if (type == null) {
            return null;
        }
        ValueKind kind = ValueKind.of(type);
        if (!kind.prints()) {
            return Unsuitable.sentence(root, path, Unsuitable.clause(type, kind) + Unsuitable.UNLESS_TRANSIENT);
        }
        return switch (kind) {
            case OPTIONAL, LIST, ENTRY -> ofGenerics(root, path, declared, kind, true);
            case RECORD, DATA_CLASS -> seen.add(type) ? ofComponents(root, path, declared, true) : null;
            // What a field leads to is trusted, as at a call.
            case OWN_TEXT -> isField ? null : ofFields(root, path, declared);
            default -> null;
        };
    }

    private @Nullable String ofFields(Class<?> root, String path, ResolvableType owner) {
        OwnFields own = OwnFields.of(owner.toClass());
        if (own.unknownParent() != null) {
            return Unsuitable.sentence(root, path, Unsuitable.clauseOfParent(owner.toClass(), own.unknownParent()));
        }
        for (Field field : own.fields()) {
            String found = printed(root, step(path, field.getName()), ResolvableType.forField(field, owner), true);
            if (found != null) {
                return found;
            }
        }
        return null;
    }

    private static ResolvableType insideOf(Class<?> valueClass) {
        Method unbox = ClassUtils.getMethod(valueClass, "unbox-impl");
        return ResolvableType.forMethodReturnType(unbox);
    }

    private static String step(String path, String name) {
        return path.isEmpty() ? name : path + "." + name;
    }
}
