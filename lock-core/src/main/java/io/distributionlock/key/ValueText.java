package io.distributionlock.key;

import io.distributionlock.key.ValueComponents.Component;
import java.lang.reflect.Field;
import java.net.URI;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Calendar;
import java.util.Collection;
import java.util.Collections;
import java.util.Date;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.StringJoiner;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The text of a value in a lock name, by the kinds of its types, at whatever depth. Inside of another value, a text is written so that it cannot
 * be taken for a part of the form around it: {@code Pair[a=x\, b\=y, b=z]}.
 */
final class ValueText {

    /** Deeper nesting than this is a cycle. */
    private static final int MAX_DEPTH = 16;

    private static final int MAX_VALUES = 10_000;
    private static final int MAX_LENGTH = 1_000_000;

    private static final String FORM = "\\,=[](){}\"";
    private static final Pattern ESCAPED_BYTE = Pattern.compile("%[0-9a-fA-F]{2}");

    private final Deque<String> path = new ArrayDeque<>();
    private int values;
    private int length;

    private ValueText() {}

    /** @throws UnsuitableValueException if the value has no text; the message is a sentence that goes on after its place */
    static String of(Object value) {
        if (value instanceof String || value instanceof Long || value instanceof Integer) {
            // Nearly every call has one of these, and its cost is counted in bytes.
            return value.toString();
        }
        Class<?> type = value.getClass();
        if (Unsuitable.isMany(type)) {
            throw new UnsuitableValueException(
                    "is a " + type.getSimpleName() + ", which is not one value.",
                    "Use a single value, or something that stands for the whole.");
        }
        ValueText text = new ValueText();
        try {
            return text.whole(value);
        } catch (UnsuitableValueException e) {
            throw new UnsuitableValueException(Unsuitable.sentence(type, text.path(), e.getMessage()), e.action(), e);
        } catch (RuntimeException e) {
            throw new UnsuitableValueException(Unsuitable.sentence(type, text.path(), "not readable: " + e), null, e);
        }
    }

    /** Where the last failure happened. */
    private String path() {
        return String.join("", path).replaceFirst("^\\.", "");
    }

    // ------------------------------------------------------------------ by kind

    /** The text of a value that is no part of another one. */
    private String whole(Object value) {
        ValueKind kind = ValueKind.of(value.getClass());
        return isForm(kind) ? form(value, kind) : single(value, kind);
    }

    private static boolean isForm(ValueKind kind) {
        return switch (kind) {
            case RECORD, DATA_CLASS, OPTIONAL, ENTRY, LIST, SET, MAP -> true;
            default -> false;
        };
    }

    private String form(Object value, ValueKind kind) {
        String name = value.getClass().getSimpleName();
        return switch (kind) {
            case RECORD -> name + "[" + components(value) + "]";
            case DATA_CLASS -> name + "(" + components(value) + ")";
            case OPTIONAL -> {
                Object inside = ArgumentProperties.opened(value);
                yield name + "[" + (inside == null ? "" : part(".value", inside)) + "]";
            }
            case ENTRY -> entry((Map.Entry<?, ?>) value);
            case LIST -> "[" + String.join(", ", elements((Collection<?>) value)) + "]";
            case SET -> "(" + sorted(elements((Collection<?>) value)) + ")";
            default -> {
                List<String> entries = new ArrayList<>();
                ((Map<?, ?>) value).entrySet().forEach(entry -> entries.add(entry(entry)));
                yield "{" + sorted(entries) + "}";
            }
        };
    }

    private String single(Object value, ValueKind kind) {
        return switch (kind) {
            case PRINTED -> value.toString();
            // Not by its toString(), which another class may have forgotten.
            case CHARACTERS -> value instanceof String text ? text : new StringBuilder((CharSequence) value).toString();
            case ENUM -> ((Enum<?>) value).name();
            case NUMBER -> NumberText.of((Number) value);
            case ZONED, OLD_DATE -> instant(value);
            case ADDRESS -> address((URI) value);
            case CLASS -> className((Class<?>) value);
            case VALUE_CLASS -> {
                Object inside = ValueClasses.unboxed(value);
                if (inside == null) {
                    throw new UnsuitableValueException("a " + value.getClass().getName() + ", in which is null");
                }
                yield whole(inside);
            }
            default -> object(value, kind);
        };
    }

    // ------------------------------------------------------------------ what holds others

    private String components(Object owner) {
        StringJoiner text = new StringJoiner(", ");
        for (Component component : ValueComponents.of(owner.getClass())) {
            text.add(component.name() + "=" + part("." + component.name(), component.valueIn(owner)));
        }
        return text.toString();
    }

    private String entry(Map.Entry<?, ?> entry) {
        return part(".key", entry.getKey()) + "=" + part(".value", entry.getValue());
    }

    private List<String> elements(Collection<?> many) {
        List<String> texts = new ArrayList<>();
        for (Object element : many) {
            texts.add(part("[" + texts.size() + "]", element));
        }
        return texts;
    }

    private static String sorted(List<String> texts) {
        Collections.sort(texts);
        return String.join(", ", texts);
    }

    private String part(String step, @Nullable Object value) {
        return inside(step, () -> {
            if (value == null) {
                return "null";
            }
            ValueKind kind = ValueKind.of(value.getClass());
            if (kind == ValueKind.VALUE_CLASS) {
                return part("", ValueClasses.unboxed(value));
            }
            String text = isForm(kind) ? form(value, kind) : escaped(single(value, kind));
            length += text.length();
            if (length > MAX_LENGTH) {
                throw new UnsuitableValueException("part of a text of more than " + MAX_LENGTH
                        + " characters, which is too long for the name of a lock");
            }
            return text;
        });
    }

    private <T> T inside(String step, Supplier<T> work) {
        path.addLast(step);
        if (path.size() > MAX_DEPTH) {
            path.clear();
            throw new UnsuitableValueException("a value that leads on to others without an end");
        }
        if (++values > MAX_VALUES) {
            throw new UnsuitableValueException(
                    "one of more than " + MAX_VALUES + " values, which are too many for the name of a lock");
        }
        T result = work.get();
        path.removeLast();
        return result;
    }

    private static String escaped(String text) {
        if (text.isEmpty()) {
            return "\"\"";
        }
        StringBuilder escaped = new StringBuilder(text.length());
        if (text.equals("null")) {
            escaped.append('\\');
        }
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (FORM.indexOf(c) >= 0) {
                escaped.append('\\');
            }
            escaped.append(c);
        }
        return escaped.toString();
    }

    // ------------------------------------------------------------------ single values

    private static String instant(Object value) {
        if (value instanceof Date date) {
            return date.toInstant().toString();
        }
        return value instanceof Calendar calendar
                ? calendar.toInstant().toString()
                : java.time.Instant.from((java.time.temporal.TemporalAccessor) value)
                        .toString();
    }

    /** Addresses are equal whatever the case of scheme, host and escapes. */
    private static String address(URI uri) {
        String text = ESCAPED_BYTE
                .matcher(uri.toString())
                .replaceAll(escape -> escape.group().toUpperCase(Locale.ROOT));
        String scheme = uri.getScheme();
        if (scheme != null) {
            text = scheme.toLowerCase(Locale.ROOT) + text.substring(scheme.length());
        }
        String host = uri.getHost();
        if (host == null) {
            return text;
        }
        int start = text.indexOf("//")
                + 2
                + (uri.getRawUserInfo() == null ? 0 : uri.getRawUserInfo().length() + 1);
        return text.substring(0, start) + host.toLowerCase(Locale.ROOT) + text.substring(start + host.length());
    }

    private static String className(Class<?> type) {
        if (type.isHidden() || java.lang.reflect.Proxy.isProxyClass(type)) {
            throw new UnsuitableValueException(
                    "the generated class " + type.getName() + ", whose name differs in another process");
        }
        return type.getName();
    }

    // ------------------------------------------------------------------ objects with a text of their own

    private String object(Object value, ValueKind kind) {
        Object behind = ProxiedObject.behind(value);
        if (behind != value) {
            return whole(behind);
        }
        if (kind != ValueKind.OWN_TEXT) {
            throw new UnsuitableValueException(Unsuitable.clause(value.getClass(), kind));
        }
        requireFieldsThatPrint(value);
        String text = value.toString();
        if (text == null) {
            throw new UnsuitableValueException("a " + value.getClass().getName() + ", whose toString() returns null");
        }
        if (text.startsWith(value.getClass().getName() + "@")) {
            throw new UnsuitableValueException(Unsuitable.clause(value.getClass(), ValueKind.NO_TEXT));
        }
        return text;
    }

    /**
     * Looks at the fields and at what their containers of the JDK, records and data classes hold. Nothing may be loaded before the lock is
     * held, and what another object leads to, which may be the owner again, is trusted.
     */
    private void requireFieldsThatPrint(Object owner) {
        OwnFields own = OwnFields.of(owner.getClass());
        if (own.unknownParent() != null) {
            throw new UnsuitableValueException(Unsuitable.clauseOfParent(owner.getClass(), own.unknownParent()));
        }
        for (Field field : own.fields()) {
            if (ValueKind.of(field.getType()) == ValueKind.PRINTED) {
                continue;
            }
            Object value = valueOf(field, owner);
            if (value != null && !OwnFields.isLock(field, value)) {
                requirePrints("." + field.getName(), value);
            }
        }
    }

    private void requirePrints(String step, @Nullable Object value) {
        if (value == null || ProxiedObject.standsForAnother(value)) {
            return;
        }
        inside(step, () -> {
            Class<?> type = value.getClass();
            ValueKind kind = ValueKind.of(type);
            if (!kind.prints() || kind == ValueKind.OPEN) {
                throw new UnsuitableValueException(Unsuitable.clause(type, kind) + Unsuitable.UNLESS_TRANSIENT);
            }
            switch (kind) {
                case RECORD, DATA_CLASS ->
                    ValueComponents.of(type)
                            .forEach(component -> requirePrints("." + component.name(), component.valueIn(value)));
                case OPTIONAL -> requirePrints(".value", ArgumentProperties.opened(value));
                case ENTRY -> {
                    requirePrints(".key", ((Map.Entry<?, ?>) value).getKey());
                    requirePrints(".value", ((Map.Entry<?, ?>) value).getValue());
                }
                case LIST -> requireElementsThatPrint((Collection<?>) value);
                default -> {}
            }
            return kind;
        });
    }

    /** A persistence provider may load the elements lazily. */
    private void requireElementsThatPrint(Collection<?> many) {
        if (ValueKind.isOfJdk(many.getClass())) {
            int i = 0;
            for (Object element : many) {
                requirePrints("[" + i++ + "]", element);
            }
        }
    }

    private static @Nullable Object valueOf(Field field, Object owner) {
        try {
            return field.get(owner);
        } catch (IllegalAccessException e) {
            throw new UnsuitableValueException(
                    "a " + owner.getClass().getName() + ", whose '" + field.getName() + "' cannot be read",
                    "Open its package to this library.",
                    e);
        }
    }
}
