package io.distributionlock.internal;

import java.util.regex.Pattern;

/**
 * What may stand in a statement as the name of a table: identifiers without quotes, with the schema and the catalog before it.
 *
 * @hidden
 */
@Internal
public final class TableName {

    private static final Pattern PATTERN = Pattern.compile("[A-Za-z_][A-Za-z0-9_$]*(\\.[A-Za-z_][A-Za-z0-9_$]*){0,2}");

    private TableName() {}

    /** Whether the text is one. */
    public static boolean is(String text) {
        return PATTERN.matcher(text).matches();
    }
}
