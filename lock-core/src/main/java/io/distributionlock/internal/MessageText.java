package io.distributionlock.internal;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Makes texts from outside, such as lock names, safe for messages: on one line, without characters that a log or a terminal would
 * interpret. Harmless texts stay unchanged.
 *
 * @hidden
 */
@Internal
public final class MessageText {

    /** A longer name would swamp the message. Names from annotations are never longer. */
    private static final int MAX_LENGTH = 512;

    private MessageText() {}

    /**
     * The text as one readable line: line breaks, control and invisible characters, changes of the writing direction and unpaired
     * surrogates are escaped as in Java, and a very long text is truncated.
     */
    public static String of(@Nullable Object value) {
        String text = String.valueOf(value);
        int end = endOf(text);
        StringBuilder shown = null;
        for (int i = 0; i < end; i++) {
            char c = text.charAt(i);
            boolean pair = i + 1 < text.length() && Character.isSurrogatePair(c, text.charAt(i + 1));
            if (pair && !misleads(text.codePointAt(i))) {
                if (shown != null) {
                    shown.append(c).append(text.charAt(i + 1));
                }
                i++;
            } else if (misleads(c)) {
                if (shown == null) {
                    shown = new StringBuilder(text.length() + 16).append(text, 0, i);
                }
                shown.append(escaped(c));
            } else if (shown != null) {
                shown.append(c);
            }
        }
        String line = shown != null ? shown.toString() : text.substring(0, end);
        return end < text.length() ? line + "… (" + text.length() + " characters)" : line;
    }

    private static int endOf(String text) {
        if (text.length() <= MAX_LENGTH) {
            return text.length();
        }
        return Character.isSurrogatePair(text.charAt(MAX_LENGTH - 1), text.charAt(MAX_LENGTH))
                ? MAX_LENGTH - 1
                : MAX_LENGTH;
    }

    /** The text as a sentence of a message: as {@link #of} returns it, with a full stop at the end. */
    public static String sentence(@Nullable Object value) {
        String line = of(value).strip();
        // Redis's list of arguments ends so.
        while (line.endsWith(",")) {
            line = line.substring(0, line.length() - 1);
        }
        if (line.isEmpty()) {
            return "";
        }
        char last = line.charAt(line.length() - 1);
        return last == '.' || last == '!' || last == '?' ? line : line + ".";
    }

    /** The message of a failure as a sentence, or its class if it has none. */
    public static String sentence(Throwable failure) {
        String said = failure.getMessage();
        return sentence(said == null || said.isBlank() ? failure.getClass().getName() : (Object) said);
    }

    private static boolean misleads(int codePoint) {
        return switch (Character.getType(codePoint)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR,
                    Character.SURROGATE -> true;
            default -> false;
        };
    }

    private static String escaped(char c) {
        return switch (c) {
            case '\n' -> "\\n";
            case '\r' -> "\\r";
            case '\t' -> "\\t";
            default -> String.format(Locale.ROOT, "\\u%04X", (int) c);
        };
    }
}
