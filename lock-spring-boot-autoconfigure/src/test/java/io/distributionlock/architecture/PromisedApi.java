package io.distributionlock.architecture;

import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedType;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What code that uses a promised type can see of it, as lines of text: the type, its members, defaults of annotations, and what may be
 * null ({@code ?}). A type begins its line, a member follows indented.
 */
final class PromisedApi {

    private static final int KINDS = Modifier.interfaceModifiers() | Modifier.classModifiers();

    private static final Pattern OF_JAVA_LANG = Pattern.compile("\\bjava\\.lang\\.(?=[A-Z])");

    /** Such as no user writes: a default that means "not set". */
    private static final Pattern CONTROL = Pattern.compile("\\p{Cntrl}");

    private PromisedApi() {}

    static List<String> of(Class<?> type) {
        return lines(type).stream()
                .map(line -> OF_JAVA_LANG.matcher(line).replaceAll(""))
                .toList();
    }

    /** What is gone, after a minus, and what has come, after a plus. */
    static List<String> difference(List<String> before, List<String> after) {
        return Stream.concat(
                        without(before, after).map(line -> "- " + line),
                        without(after, before).map(line -> "+ " + line))
                .toList();
    }

    private static Stream<String> without(List<String> some, List<String> others) {
        Set<String> left = new LinkedHashSet<>(withTypes(some));
        left.removeAll(new HashSet<>(withTypes(others)));
        return left.stream();
    }

    /** A member alone does not say whose it is. */
    private static List<String> withTypes(List<String> lines) {
        List<String> whole = new ArrayList<>();
        String type = "";
        for (String line : lines) {
            if (line.startsWith(" ")) {
                whole.add(type + ": " + line.strip());
            } else {
                type = line.substring(0, line.indexOf(':'));
                whole.add(line);
            }
        }
        return whole;
    }

    /** The type, and the types within it that are visible too. */
    private static List<String> lines(Class<?> type) {
        List<String> lines = new ArrayList<>();
        lines.add(header(type));
        Stream.of(
                        Stream.of(type.getDeclaredFields())
                                .filter(PromisedApi::isVisible)
                                .map(PromisedApi::field),
                        Stream.of(type.getDeclaredConstructors())
                                .filter(PromisedApi::isVisible)
                                .map(PromisedApi::constructor),
                        methods(type).map(PromisedApi::method))
                .flatMap(each -> each.sorted().distinct())
                .forEach(member -> lines.add("    " + member));
        Stream.of(type.getDeclaredClasses())
                .filter(nested -> isVisible(nested.getModifiers()))
                .sorted((one, other) -> one.getName().compareTo(other.getName()))
                .forEach(nested -> lines.addAll(lines(nested)));
        return lines;
    }

    private static String header(Class<?> type) {
        String kind = type.isAnnotation()
                ? "@interface"
                : type.isInterface() ? "interface" : type.isEnum() ? "enum" : type.isRecord() ? "record" : "class";
        int implied = type.isInterface() || type.isEnum() || type.isRecord() ? Modifier.ABSTRACT | Modifier.FINAL : 0;
        return type.getName()
                + ": "
                + modifiers(type.getModifiers() & KINDS & ~implied & ~Modifier.STATIC)
                + (type.isSealed() ? "sealed " : "")
                + kind
                + variables(type.getTypeParameters())
                + list(
                        " extends ",
                        Stream.ofNullable(type.getGenericSuperclass())
                                .filter(parent -> parent != Object.class && parent != Record.class && !type.isEnum()))
                + list(" implements ", Stream.of(type.getGenericInterfaces()))
                + (type.isAnnotation() ? annotations(type) : "");
    }

    /** What says where an annotation may stand and how long it lasts. */
    private static String annotations(Class<?> type) {
        return Stream.of(type.getDeclaredAnnotations())
                .map(PromisedApi::annotation)
                .sorted()
                .collect(Collectors.joining(" ", " ", ""));
    }

    /** The order of its attributes may be another in each build. */
    private static String annotation(Annotation annotation) {
        return "@" + annotation.annotationType().getName()
                + Stream.of(annotation.annotationType().getDeclaredMethods())
                        .sorted(Comparator.comparing(Method::getName))
                        .flatMap(attribute -> set(attribute, annotation))
                        .collect(Collectors.joining(", ", "(", ")"));
    }

    private static Stream<String> set(Method attribute, Annotation annotation) {
        try {
            Object value = attribute.invoke(annotation);
            return Objects.deepEquals(value, attribute.getDefaultValue())
                    ? Stream.empty()
                    : Stream.of(attribute.getName() + " = " + value(value));
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    /** Its own, and those that it has from types that are not promised. */
    private static Stream<Method> methods(Class<?> type) {
        Stream<Method> inherited = Stream.of(type.getMethods())
                .filter(method -> method.getDeclaringClass().getName().startsWith(Library.ROOT)
                        && !Modifier.isPublic(method.getDeclaringClass().getModifiers()));
        return Stream.concat(Stream.of(type.getDeclaredMethods()), inherited).filter(PromisedApi::isVisible);
    }

    private static String field(Field field) {
        return field.isEnumConstant()
                ? field.getName()
                : modifiers(field.getModifiers()) + type(field.getGenericType(), field.getAnnotatedType()) + " "
                        + field.getName() + constant(field);
    }

    /** The compiler copies it into what uses it. */
    private static String constant(Field field) {
        boolean copied = Modifier.isStatic(field.getModifiers())
                && Modifier.isFinal(field.getModifiers())
                && (field.getType().isPrimitive() || field.getType() == String.class);
        try {
            return copied ? " = " + value(field.get(null)) : "";
        } catch (IllegalAccessException e) {
            throw new AssertionError(e);
        }
    }

    private static String constructor(Constructor<?> constructor) {
        return modifiers(constructor.getModifiers())
                + variables(constructor.getTypeParameters()).stripLeading()
                + constructor.getDeclaringClass().getSimpleName()
                + parametersOf(constructor);
    }

    private static String method(Method method) {
        boolean ofAnInterface = method.getDeclaringClass().isInterface();
        return modifiers(method.getModifiers() & ~(ofAnInterface ? Modifier.PUBLIC | Modifier.ABSTRACT : 0))
                + (method.isDefault() ? "default " : "")
                + variables(method.getTypeParameters())
                + type(method.getGenericReturnType(), method.getAnnotatedReturnType())
                + " "
                + method.getName()
                + parametersOf(method)
                + (method.getDefaultValue() == null ? "" : " default " + value(method.getDefaultValue()));
    }

    private static String parametersOf(Executable executable) {
        Type[] types = executable.getGenericParameterTypes();
        AnnotatedType[] annotated = executable.getAnnotatedParameterTypes();
        List<String> parameters = new ArrayList<>();
        for (int i = 0; i < types.length; i++) {
            parameters.add(type(types[i], annotated[i]));
        }
        return "(" + String.join(", ", parameters) + ")"
                + list(" throws ", Stream.of(executable.getGenericExceptionTypes()));
    }

    private static String type(Type type, AnnotatedType annotated) {
        return type.getTypeName() + (annotated.isAnnotationPresent(Nullable.class) ? "?" : "");
    }

    private static String variables(TypeVariable<?>[] variables) {
        return variables.length == 0
                ? ""
                : Arrays.stream(variables)
                        .map(variable -> variable.getName()
                                + list(
                                        " extends ",
                                        Stream.of(variable.getBounds()).filter(bound -> bound != Object.class)))
                        .collect(Collectors.joining(", ", "<", "> "));
    }

    private static String list(String before, Stream<? extends Type> types) {
        String names = types.map(Type::getTypeName).collect(Collectors.joining(", "));
        return names.isEmpty() ? "" : before + names;
    }

    private static String value(Object value) {
        if (value instanceof String text) {
            return '"'
                    + CONTROL.matcher(text)
                            .replaceAll(found -> "(" + (int) found.group().charAt(0) + ")")
                    + '"';
        }
        return value instanceof Object[] array ? Arrays.deepToString(array) : Objects.toString(value);
    }

    /** What a synchronized, native or transient member is, nobody can see. */
    private static String modifiers(int modifiers) {
        int seen = Modifier.PUBLIC | Modifier.PROTECTED | Modifier.STATIC | Modifier.FINAL | Modifier.ABSTRACT;
        String text = Modifier.toString(modifiers & seen);
        return text.isEmpty() ? "" : text + " ";
    }

    private static boolean isVisible(Member member) {
        return !member.isSynthetic() && isVisible(member.getModifiers());
    }

    private static boolean isVisible(int modifiers) {
        return Modifier.isPublic(modifiers) || Modifier.isProtected(modifiers);
    }
}
