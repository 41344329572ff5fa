package io.distributionlock.messages;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What no message of the library may be, whatever it speaks of. */
public final class MessageRules {

    /** Names and other texts from elsewhere stand in quotes, and may be as they like. */
    private static final Pattern QUOTED = Pattern.compile("'[^']*'|\"[^\"]*\"");

    private static final Pattern DOUBLE_PUNCTUATION =
            Pattern.compile("(?<!\\.)\\.\\.(?!\\.)|[,;:!?] ?[.,;](?![.\\w*])|\\.[,;:!?](?!//)(?=\\s|$)|"
                    + " [.,;](?=\\s|$)|,,|;;|!!|\\?\\?|\\. \\.");

    private static final Pattern PROPERTY = Pattern.compile(
            "(?<![\\w.\\-/@])distribution-lock\\.([A-Za-z0-9\\-]+(?:\\.[A-Za-z0-9*<>\\-]+|\\[[^]]*])*)");

    private static final List<Pattern> ATTRIBUTES = List.of(
            Pattern.compile("(?:[Ss]et|[Cc]orrect|[Ll]eave|in|or|with) '([a-z]+[A-Z][A-Za-z]*)'"),
            Pattern.compile("\\bhas ([a-z][A-Za-z]*) = "),
            Pattern.compile("\\(([a-z]+[A-Z][A-Za-z]*)\\)"),
            Pattern.compile("[Ll]eave ([a-z]+[A-Z][A-Za-z]*) out"));

    private static final Pattern ELAPSED = Pattern.compile(
            "(?:failed after|given back after|released after|Interrupted after|free within|No answer came within|not answer within)"
                    + " (\\d+) ms");

    private static final Pattern CONTROL = Pattern.compile(
            "[\\p{Cntrl}\\u0080-\\u009F\\u2028\\u2029\\u200B-\\u200F\\u202A-\\u202E\\u2060-\\u2069\\uFEFF]");

    private static final Set<String> KNOWN_ATTRIBUTES = attributes();
    private static final List<Pattern> KNOWN_PROPERTIES = properties();

    private MessageRules() {}

    /** What is wrong with a message; empty if nothing is. */
    public static List<String> faults(String message) {
        List<String> faults = new ArrayList<>();
        String text = message.replace(System.lineSeparator(), "\n").replace("\n", " ");
        if (text.isBlank()) {
            faults.add("says nothing");
        }
        if (CONTROL.matcher(text).find() || hasHalfAPair(text)) {
            faults.add("has raw control characters");
        }
        if (DOUBLE_PUNCTUATION.matcher(unquoted(text)).find()) {
            faults.add("has double punctuation");
        }
        if (unquoted(text).matches("(?s).*(?<![\\w.=])null(?![\\w]).*")
                && !text.contains("is null")
                && !text.contains("returned null")
                && !text.contains("returns null")
                && !text.contains("null means")) {
            faults.add("says null");
        }
        // Who says of a property that it does not exist has to name it.
        Matcher property = PROPERTY.matcher(
                text.contains("' does not exist") || text.contains(") does not exist") ? unquoted(text) : text);
        while (property.find()) {
            String name = property.group(1);
            if (KNOWN_PROPERTIES.stream().noneMatch(known -> known.matcher(name).matches())) {
                faults.add("names the property distribution-lock." + name + ", which does not exist");
            }
        }
        for (Pattern pattern : ATTRIBUTES) {
            Matcher attribute = pattern.matcher(text);
            while (attribute.find()) {
                if (!KNOWN_ATTRIBUTES.contains(attribute.group(1))) {
                    faults.add("names the attribute " + attribute.group(1) + ", which does not exist");
                }
            }
        }
        return faults;
    }

    /** The same, where it is known for how long what the message tells of can have lasted at most. */
    public static List<String> faults(String message, Duration elapsed) {
        List<String> faults = new ArrayList<>(faults(message));
        Matcher stated = ELAPSED.matcher(message);
        while (stated.find()) {
            if (Long.parseLong(stated.group(1)) > elapsed.toMillis()) {
                faults.add("tells of " + stated.group(1) + " ms, but no more than " + elapsed.toMillis()
                        + " ms have passed");
            }
        }
        return faults;
    }

    /** The same, for a message that has to say which lock it speaks of. */
    public static List<String> faults(String message, String name) {
        List<String> faults = new ArrayList<>(faults(message));
        if (!message.contains("'" + name + "'")) {
            faults.add("does not name '" + name + "'");
        }
        return faults;
    }

    private static String unquoted(String text) {
        return QUOTED.matcher(text).replaceAll("'x'");
    }

    private static boolean hasHalfAPair(String text) {
        return text.codePoints().anyMatch(c -> c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE);
    }

    private static Set<String> attributes() {
        Set<String> known = new HashSet<>();
        for (String annotation : List.of(
                "DistributionLock", "DistributionLockParam", "RefuseRepeats", "ScheduledLock", "FencingToken")) {
            Arrays.stream(ofCore("annotation." + annotation).getDeclaredMethods())
                    .map(Method::getName)
                    .forEach(known::add);
        }
        Arrays.stream(ofCore("LockRequest").getRecordComponents())
                .map(RecordComponent::getName)
                .forEach(known::add);
        return known;
    }

    /** By name, because the tests of lock-core need this module too. */
    private static Class<?> ofCore(String name) {
        try {
            return Class.forName("io.distributionlock." + name);
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException(e);
        }
    }

    private static List<Pattern> properties() {
        List<Pattern> patterns = new ArrayList<>();
        for (String name : propertyNames()) {
            StringBuilder prefix = new StringBuilder();
            String[] parts = name.split("\\.");
            for (int i = 0; i < parts.length; i++) {
                if (parts[i].equals("*")) {
                    prefix.append("(?:\\.[\\w*<>-]+|\\[.*])");
                } else {
                    prefix.append(i == 0 ? "" : "\\.").append(parts[i].replace("[]", "(\\[\\d+])?"));
                }
                boolean hasMore = i < parts.length - 1 || parts[i].endsWith("[]");
                patterns.add(Pattern.compile(prefix + (hasMore ? "(\\.\\*)?" : "") + "\\.?"));
            }
        }
        return patterns;
    }

    /** As {@code LockProperties} has them, without the prefix of all; its module holds the list to that. */
    static List<String> propertyNames() {
        try (@Nullable InputStream names = MessageRules.class.getResourceAsStream("properties.txt")) {
            if (names == null) {
                throw new IllegalStateException("There is no properties.txt beside MessageRules");
            }
            return new String(names.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
