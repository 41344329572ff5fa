package io.distributionlock;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Texts that come from elsewhere, such as the names of locks, as they stand in messages: on one line, without signs that a log or
 * a terminal would take for its own. What reads well is left as it is.
 */
public final class MessageText {

    /** A longer name would drown the message. The name of a lock that an annotation makes is never longer. */
    private static final int LONGEST = 512;

    private MessageText() {}

    /**
     * The text as one line that can be read: line breaks, control characters, signs that are invisible or change the direction
     * of writing, and halves of surrogate pairs are escaped as in Java, and a very long text is cut.
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
        if (text.length() <= LONGEST) {
            return text.length();
        }
        return Character.isSurrogatePair(text.charAt(LONGEST - 1), text.charAt(LONGEST)) ? LONGEST - 1 : LONGEST;
    }

    /** The text as a sentence of a message: as {@link #of} shows it, and with one full stop at its end. */
    public static String sentence(@Nullable Object value) {
        String line = of(value).strip();
        if (line.isEmpty()) {
            return "";
        }
        char last = line.charAt(line.length() - 1);
        return last == '.' || last == '!' || last == '?' ? line : line + ".";
    }

    /** What a failure says, or what it is if it says nothing. */
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
