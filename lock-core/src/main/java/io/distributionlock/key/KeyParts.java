package io.distributionlock.key;

import io.distributionlock.annotation.DistributionLockParam;
import io.distributionlock.annotation.LockProblem;
import io.distributionlock.internal.KotlinMethods;
import io.distributionlock.internal.MessageText;
import io.distributionlock.internal.MethodText;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.core.ResolvableType;
import org.springframework.expression.AccessException;
import org.springframework.util.ObjectUtils;

/**
 * The values of a call that become parts of the lock's name: marked parameters, and marked members of any argument.
 *
 * <p>They are returned as what follows the key in a name. There is one name unless a collection is locked element by element.
 */
final class KeyParts {

    /** Annotated members inside of annotated members: deeper nesting than this is a cycle. */
    static final int MAX_DEPTH = 16;

    /** Two collections of a thousand elements would ask for a million locks. */
    private static final int MAX_NAMES = 1_000;

    /** What all names of a call may be together: a long part in each of a thousand names would fill the memory. */
    private static final long MAX_CHARACTERS = 10_000_000;

    /** One name, to which nothing is added. */
    private static final List<String> NOTHING = List.of("");

    private final Method method;
    private final String delimiter;
    private final List<MarkedParameter> parameters;
    private final ArgumentProperties properties = new ArgumentProperties();

    private KeyParts(Method method, String delimiter, List<MarkedParameter> parameters) {
        this.method = method;
        this.delimiter = delimiter;
        this.parameters = parameters;
    }

    /**
     * A parameter that is, or may hold, parts of the name.
     *
     * @param mark the annotation, or {@code null} if only members of the argument are marked
     */
    record MarkedParameter(
            int index,
            String description,
            ResolvableType type,
            @Nullable Mark mark) {

        int order() {
            return mark == null ? 0 : mark.order();
        }

        String path() {
            return mark == null ? "" : mark.path();
        }
    }

    static KeyParts of(LockDeclaration declaration) {
        Method method = declaration.method();
        List<MarkedParameter> found = new ArrayList<>();
        for (int i = 0; i < KotlinMethods.parametersOf(method); i++) {
            Mark mark = markOf(declaration.methodHierarchy(), i);
            ResolvableType type = declaration.parameterType(i);
            if (mark != null || mayHaveMarkedMembers(type.resolve(Object.class))) {
                found.add(new MarkedParameter(i, MethodText.parameter(method, i), type, mark));
            }
        }
        found.sort(Comparator.comparingInt(MarkedParameter::order));
        return new KeyParts(method, declaration.annotation().delimiter(), found);
    }

    private static @Nullable Mark markOf(List<Method> methodHierarchy, int parameter) {
        for (Method declared : methodHierarchy) {
            Mark mark = Mark.on(declared.getParameters()[parameter]);
            if (mark != null) {
                return mark;
            }
        }
        return null;
    }

    private static boolean mayHaveMarkedMembers(Class<?> declared) {
        if (!MarkedMembers.of(declared).isEmpty()) {
            return true;
        }
        boolean isClosed = declared.isPrimitive() || declared.isArray() || Modifier.isFinal(declared.getModifiers());
        boolean isJdkClass = declared.getName().startsWith("java.") && declared != Object.class;
        return !isClosed && !isJdkClass;
    }

    // ------------------------------------------------------------------ at start-up

    /** How many parts a name may have, as far as the declared types show. */
    int most() {
        return parameters.stream()
                .mapToInt(parameter -> parameter.mark() == null
                        ? MarkedMembers.of(parameter.type().resolve(Object.class))
                                .size()
                        : 1)
                .sum();
    }

    List<LockProblem> check(String place) {
        return new MarkCheck(method, place).check(parameters);
    }

    // ------------------------------------------------------------------ at a call

    /** What follows the key in each name of the call: usually one text; none if the call needs no lock. */
    List<String> endings(List<@Nullable Object> arguments) {
        List<String> endings = NOTHING;
        for (MarkedParameter parameter : parameters) {
            Object argument = arguments.get(parameter.index());
            List<String> own = parameter.mark() == null
                    ? ofUnmarked(argument, parameter)
                    : read(argument, parameter::type, parameter.mark(), parameter.description(), 0);
            endings = combined(endings, own, parameter.description());
        }
        return endings;
    }

    private List<String> ofUnmarked(@Nullable Object argument, MarkedParameter parameter) {
        if (argument == null) {
            if (MarkedMembers.of(parameter.type().resolve(Object.class)).isEmpty()) {
                return NOTHING;
            }
            throw unusable(parameter.description(), "is null, and some of its members are parts of the name.", null);
        }
        return MarkedMembers.of(argument.getClass()).isEmpty()
                ? NOTHING
                : ofMembers(argument, parameter.type(), parameter.description(), 0);
    }

    /** @param declared the type of the start; asked for only if it matters */
    private List<String> read(
            @Nullable Object start, Supplier<ResolvableType> declared, Mark mark, String description, int depth) {
        String path = mark.path();
        String place = path.isEmpty() ? description : "'" + path + "' of " + description;
        Object value = valueAt(start, path, place);
        Supplier<ResolvableType> type = () -> properties.typeAt(declared.get(), path);
        return mark.each() ? ofElements(value, type, mark, place, depth) : ofValue(value, type, mark, place, depth);
    }

    private @Nullable Object valueAt(@Nullable Object start, String path, String place) {
        try {
            return properties.valueAt(start, path);
        } catch (AccessException e) {
            throw unusable(
                    place, "cannot be read: " + MessageText.sentence(NestedExceptionUtils.getMostSpecificCause(e)), e);
        } catch (UnsuitableValueException e) {
            throw unusable(place, "cannot be read, because it is in " + e.getMessage() + ". " + e.action(), e);
        }
    }

    private List<String> ofValue(
            @Nullable Object value, Supplier<ResolvableType> declared, Mark mark, String place, int depth) {
        if (value == null) {
            return ofNull(mark, place);
        }
        if (!MarkedMembers.of(value.getClass()).isEmpty()) {
            return ofMembers(value, declared.get(), place, depth);
        }
        try {
            return ending(ValueText.of(value));
        } catch (UnsuitableValueException e) {
            String action = e.action() != null ? e.action() : Unsuitable.action(value.getClass(), mark);
            throw unusable(place, e.getMessage() + " " + action, e);
        }
    }

    private List<String> ofNull(Mark mark, String place) {
        if (mark.nullValue().equals(DistributionLockParam.NULL_IS_AN_ERROR)) {
            throw unusable(
                    place,
                    "is null. Pass a value, or say with 'nullValue' of @DistributionLockParam what null means.",
                    null);
        }
        return mark.nullValue().equals(DistributionLockParam.SKIP_NULL) ? NOTHING : ending(mark.nullValue());
    }

    private List<String> ofMembers(Object owner, ResolvableType declared, String place, int depth) {
        if (depth == MAX_DEPTH) {
            throw unusable(place, "leads on to marked members without an end. Mark a value that has none.", null);
        }
        ResolvableType type = typeOf(owner, declared);
        List<String> endings = NOTHING;
        for (MarkedMembers.MarkedMember member : membersOf(type, owner, place)) {
            String property = member.property();
            String name = "'" + property + "' of " + place;
            Object value = valueAt(owner, property, name);
            endings = combined(
                    endings,
                    read(value, () -> properties.typeAt(type, property), member.mark(), name, depth + 1),
                    name);
        }
        return endings;
    }

    /** The declared type. Object declares nothing, so there the class of the value decides. */
    private static ResolvableType typeOf(Object owner, ResolvableType declared) {
        ResolvableType opened = ArgumentProperties.opened(declared);
        Class<?> type = opened.resolve(Object.class);
        // What is no instance was unwrapped from a value class of Kotlin.
        return type == Object.class || !type.isInstance(owner) ? ResolvableType.forClass(owner.getClass()) : opened;
    }

    /** The marked members of the declared type. A subclass may have no more: its names would not exclude those of the others. */
    private List<MarkedMembers.MarkedMember> membersOf(ResolvableType type, Object owner, String place) {
        Class<?> declared = type.toClass();
        List<MarkedMembers.MarkedMember> own = MarkedMembers.of(declared);
        for (MarkedMembers.MarkedMember member : MarkedMembers.of(owner.getClass())) {
            if (own.stream().noneMatch(known -> known.property().equals(member.property()))) {
                throw unusable(
                        place,
                        "is a " + owner.getClass().getName() + ", which marks '" + member.property()
                                + "' with @DistributionLockParam, but it is declared as " + declared.getName()
                                + ", which does not. Mark it there, or declare the type that marks it.",
                        null);
            }
        }
        return own;
    }

    private List<String> ofElements(
            @Nullable Object value, Supplier<ResolvableType> declared, Mark mark, String place, int depth) {
        if (value == null) {
            return ofNull(mark, place);
        }
        List<String> endings = new ArrayList<>();
        Collection<?> elements = elementsOf(value, place);
        requireFew(elements.size(), place);
        for (Object element : elements) {
            Object present = ArgumentProperties.unwrapped(element);
            if (present != null || !mark.nullValue().equals(DistributionLockParam.SKIP_NULL)) {
                endings.addAll(
                        ofValue(present, () -> elementOf(declared.get()), mark, "an element of " + place, depth));
                requireFew(endings.size(), place);
            }
        }
        if (endings.isEmpty() && !mark.allowEmpty()) {
            throw unusable(
                    place,
                    "is empty, so there is nothing to lock. Pass an element, or set 'allowEmpty = true' if the method"
                            + " may run without a lock then.",
                    null);
        }
        return endings;
    }

    static ResolvableType elementOf(ResolvableType declared) {
        ResolvableType many = ArgumentProperties.opened(declared);
        return many.isArray()
                ? many.getComponentType()
                : many.as(Iterable.class).getGeneric(0);
    }

    private Collection<?> elementsOf(Object value, String place) {
        if (value instanceof Collection<?> collection) {
            return collection;
        }
        if (value.getClass().isArray()) {
            return Arrays.asList(ObjectUtils.toObjectArray(value));
        }
        throw unusable(
                place,
                "has 'each = true', but is a " + value.getClass().getName() + ". Pass a collection or an array.",
                null);
    }

    private List<String> ending(String text) {
        StringBuilder ending = new StringBuilder(delimiter.length() + text.length()).append(delimiter);
        NameEncoding.append(ending, text, delimiter);
        return List.of(ending.toString());
    }

    private List<String> combined(List<String> all, List<String> own, String place) {
        requireFew((long) all.size() * own.size(), place);
        // Without a stream, because nearly every call has one name, and its cost is counted in bytes.
        if (all.size() == 1 && own.size() == 1) {
            return List.of(all.get(0) + own.get(0));
        }
        requireShort(characters(all) * own.size() + characters(own) * all.size(), place);
        return all.stream()
                .flatMap(before -> own.stream().map(after -> before + after))
                .toList();
    }

    private static long characters(List<String> texts) {
        long sum = 0;
        for (String text : texts) {
            sum += text.length();
        }
        return sum;
    }

    /** The key stands before each ending, so a long one would be there a thousand times. */
    void requireShort(String key, List<String> endings) {
        requireShort(characters(endings) + (long) key.length() * endings.size(), "the key, with what follows it,");
    }

    private void requireShort(long characters, String place) {
        if (characters > MAX_CHARACTERS) {
            throw unusable(
                    place,
                    "makes lock names of " + characters + " characters, and those of one call may have "
                            + MAX_CHARACTERS + ". Pass fewer elements or shorter values.",
                    null);
        }
    }

    private void requireFew(long names, String place) {
        if (names > MAX_NAMES) {
            throw unusable(
                    place,
                    "makes " + names + " lock names, and one call may have " + MAX_NAMES
                            + " of them. Pass fewer elements at once, or lock something that stands for them all.",
                    null);
        }
    }

    private LockKeyException unusable(String place, String complaint, @Nullable Throwable cause) {
        return LockKeyException.of(method, place + " " + complaint, cause);
    }
}
