package io.distributionlock.protocol;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * What TLC explores and checks, and what it must find.
 *
 * @param constants the values of the module's constants, its name as MODULE, and perhaps a CONSTRAINT
 * @param finding the number of states, or the violated property
 */
record Configuration(String name, Map<String, String> constants, Set<String> properties, String finding) {

    private static final Pattern WORD = Pattern.compile("→ (\\S+)|[+-]\\w+|\\w+(=(\\{[^}]*}|\\S+))?");
    private static final String MODULE = "MODULE";
    private static final String CONSTRAINT = "CONSTRAINT";

    /** A property of steps. All others are of states. */
    private static final String OF_STEPS = "PermitsAdmitted";

    /** The same, with the changes that a row of the table makes. */
    Configuration with(String newName, String row) {
        Map<String, String> values = new LinkedHashMap<>(constants);
        Set<String> checked = new LinkedHashSet<>(properties);
        String found = finding;
        for (MatchResult match : WORD.matcher(row).results().toList()) {
            String word = match.group();
            String rest = word.substring(1);
            switch (word.charAt(0)) {
                case '→' -> found = match.group(1);
                case '+' -> checked.add(rest);
                case '-' -> checked.remove(rest);
                default -> {
                    String[] constant = word.split("=", 2);
                    values.put(constant[0], constant.length == 1 ? "TRUE" : constant[1]);
                }
            }
        }
        return new Configuration(newName, values, checked, found);
    }

    boolean isSound() {
        return Character.isDigit(finding.charAt(0));
    }

    long states() {
        return Long.parseLong(finding.replace(",", ""));
    }

    /** The file of the module. */
    String module() {
        return constants.get(MODULE) + ".tla";
    }

    /** The file that TLC reads beside the module. */
    String text() {
        StringBuilder text = new StringBuilder("SPECIFICATION Spec\nSYMMETRY Symmetry\nCHECK_DEADLOCK FALSE\n");
        constants.forEach((name, value) -> text.append(
                switch (name) {
                    case MODULE -> "";
                    case CONSTRAINT -> "CONSTRAINT " + value + '\n';
                    default -> "CONSTANT " + name + " = " + value + '\n';
                }));
        for (String property : isSound() ? properties : Set.of(finding)) {
            text.append(property.equals(OF_STEPS) ? "PROPERTY " : "INVARIANT ")
                    .append(property)
                    .append('\n');
        }
        return text.toString();
    }

    @Override
    public String toString() {
        return name;
    }
}
