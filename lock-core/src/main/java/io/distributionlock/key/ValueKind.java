package io.distributionlock.key;

import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.MonthDay;
import java.time.OffsetDateTime;
import java.time.OffsetTime;
import java.time.Period;
import java.time.Year;
import java.time.YearMonth;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.BitSet;
import java.util.Calendar;
import java.util.Currency;
import java.util.Date;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.BaseStream;
import org.jspecify.annotations.Nullable;
import org.springframework.core.KotlinDetector;
import org.springframework.core.ReactiveAdapterRegistry;
import org.springframework.util.ClassUtils;

/**
 * How a value of a type becomes text in the name of a lock, by its type alone. Equal values must have equal texts in every process: so a
 * type of the JDK has its text only if it is named here.
 */
enum ValueKind {

    /** Its {@code toString()} says it all, and is equal for equal values, in every process. */
    PRINTED(true),
    CHARACTERS(true),
    /** By its name. */
    ENUM(true),
    NUMBER(true),
    /** A date with a zone: by its instant. */
    ZONED(true),
    /** An old date, which prints the zone of its process: by its instant. */
    OLD_DATE(false),
    ADDRESS(false),
    CLASS(true),

    /** By its class and components. */
    RECORD(true),
    DATA_CLASS(true),
    /** By the value inside. */
    VALUE_CLASS(true),
    OPTIONAL(true),
    ENTRY(true),
    LIST(true),
    /** By its elements in the order of their texts, because its own order may differ between processes. */
    SET(false),
    MAP(false),

    /** A class of the application with a {@code toString()} of its own, which prints its fields. */
    OWN_TEXT(true),

    /** Only as a declared type, such as an interface: the class of the value decides. */
    OPEN(true),

    ARRAY(false),
    /** Its value is not there yet when the method is called: a future or a publisher. */
    LATER(false),
    /** A class that prints what {@link Object#toString()} prints. */
    NO_TEXT(false),
    /** A type of the JDK that is not in this table. */
    UNSUITABLE(false);

    private static final Set<Class<?>> PRINTED_TYPES = Set.of(
            Boolean.class,
            Character.class,
            Byte.class,
            Short.class,
            Integer.class,
            Long.class,
            AtomicBoolean.class,
            AtomicInteger.class,
            AtomicLong.class,
            UUID.class,
            Currency.class,
            Locale.class,
            BitSet.class,
            Instant.class,
            LocalDate.class,
            LocalTime.class,
            LocalDateTime.class,
            OffsetTime.class,
            Year.class,
            YearMonth.class,
            MonthDay.class,
            Duration.class,
            Period.class);
    private static final Set<Class<?>> NUMBERS = Set.of(BigInteger.class, BigDecimal.class, Double.class, Float.class);
    private static final Set<Class<?>> OPTIONALS =
            Set.of(Optional.class, OptionalInt.class, OptionalLong.class, OptionalDouble.class);

    /** Not by class literals: their module may be missing. What they print and what they are equal to depends on the zone. */
    private static final Set<String> DATES_WITHOUT_INSTANT = Set.of("java.sql.Date", "java.sql.Time");

    /** Declared types that say nothing of the value. */
    private static final Set<Class<?>> OPEN_CLASSES = Set.of(Object.class, Number.class, Record.class);

    /** Besides what Spring knows as reactive, which depends on the libraries that are there. */
    private static final Set<Class<?>> FUTURES = Set.of(Future.class, CompletionStage.class, Flow.Publisher.class);

    /** No value of these interfaces is suitable. */
    private static final Set<Class<?>> NEVER = Set.of(Iterator.class, BaseStream.class, Path.class);

    private static final ClassValue<ValueKind> KINDS = new ClassValue<>() {
        @Override
        protected ValueKind computeValue(Class<?> type) {
            return kindOf(type);
        }
    };

    private final boolean prints;

    ValueKind(boolean prints) {
        this.prints = prints;
    }

    /** The kind of the values of a class, or of a declared type. */
    static ValueKind of(Class<?> type) {
        return KINDS.get(type);
    }

    /** Whether its own {@code toString()}, as that of an object around it calls it, is equal for equal values in every process. */
    boolean prints() {
        return prints;
    }

    private static ValueKind kindOf(Class<?> declared) {
        Class<?> type = ClassUtils.resolvePrimitiveIfNecessary(declared);
        if (type.isArray()) {
            return ARRAY;
        }
        if (type.isRecord()) {
            return RECORD;
        }
        if (Enum.class.isAssignableFrom(type)) {
            return ENUM;
        }
        if (KotlinDetector.isInlineClass(type)) {
            return VALUE_CLASS;
        }
        if (!ValueComponents.of(type).isEmpty()) {
            return DATA_CLASS;
        }
        ValueKind single = singleValue(type);
        return single != null ? single : containerOrObject(type);
    }

    private static @Nullable ValueKind singleValue(Class<?> type) {
        if (CharSequence.class.isAssignableFrom(type)) {
            return CHARACTERS;
        }
        if (PRINTED_TYPES.contains(type) || ZoneId.class.isAssignableFrom(type)) {
            return PRINTED;
        }
        if (NUMBERS.contains(type)) {
            return NUMBER;
        }
        if (type == ZonedDateTime.class || type == OffsetDateTime.class) {
            return ZONED;
        }
        if (Date.class.isAssignableFrom(type) || Calendar.class.isAssignableFrom(type)) {
            return DATES_WITHOUT_INSTANT.contains(type.getName()) ? UNSUITABLE : OLD_DATE;
        }
        return type == URI.class ? ADDRESS : type == Class.class ? CLASS : null;
    }

    private static ValueKind containerOrObject(Class<?> type) {
        if (FUTURES.stream().anyMatch(future -> future.isAssignableFrom(type))
                || ReactiveAdapterRegistry.getSharedInstance().getAdapter(type) != null) {
            return LATER;
        }
        if (OPTIONALS.contains(type)) {
            return OPTIONAL;
        }
        if (Map.Entry.class.isAssignableFrom(type)) {
            return ENTRY;
        }
        if (List.class.isAssignableFrom(type)) {
            return LIST;
        }
        if (Set.class.isAssignableFrom(type)) {
            return SET;
        }
        if (Map.class.isAssignableFrom(type)) {
            return MAP;
        }
        if (isOfJdk(type)) {
            boolean isOpen = type.isInterface() && NEVER.stream().noneMatch(never -> never.isAssignableFrom(type));
            return isOpen || OPEN_CLASSES.contains(type) ? OPEN : UNSUITABLE;
        }
        return Modifier.isAbstract(type.getModifiers()) ? OPEN : hasOwnText(type) ? OWN_TEXT : NO_TEXT;
    }

    /** By its loader: a library may have packages such as {@code javax.money}. */
    static boolean isOfJdk(Class<?> type) {
        ClassLoader loader = type.getClassLoader();
        return loader == null || loader == ClassLoader.getPlatformClassLoader() || Proxy.isProxyClass(type);
    }

    private static boolean hasOwnText(Class<?> type) {
        return !isOfJdk(ClassUtils.getMethod(type, "toString").getDeclaringClass());
    }
}
