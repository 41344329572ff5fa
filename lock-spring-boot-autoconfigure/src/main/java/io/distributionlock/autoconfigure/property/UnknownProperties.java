package io.distributionlock.autoconfigure.property;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName.Form;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.IterableConfigurationPropertySource;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.PropertySource;
import org.springframework.core.env.SystemEnvironmentPropertySource;

/** Finds properties below {@code distribution-lock} that nothing reads, in every source that can be enumerated. */
final class UnknownProperties {

    private static final Log log = LogFactory.getLog(UnknownProperties.class);

    private static final String PREFIX = PropertyTree.uniform(LockProperties.PREFIX);
    private static final Pattern VARIABLE = Pattern.compile("DISTRIBUTION_?LOCK_(.+)");

    /** Variables that Kubernetes sets in every pod for a service whose name may start with that of this library. */
    private static final Pattern OF_A_SERVICE =
            Pattern.compile("(.+_)?(SERVICE_(HOST|PORT(_.+)?)|PORT(_\\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?)?)");

    private static final String KEY = "<key>";

    private final ConfigurableEnvironment environment;

    UnknownProperties(ConfigurableEnvironment environment) {
        this.environment = environment;
    }

    /**
     * @throws UnknownPropertiesException if there are any, unless they are to be logged only, as those in variables always are
     */
    void report() {
        findInVariables().forEach(UnknownProperties::warn);
        List<UnknownProperty> unknown = find();
        if (unknown.isEmpty()) {
            return;
        }
        if (!"warn".equalsIgnoreCase(environment.getProperty(LockProperties.PREFIX + ".validation"))) {
            throw new UnknownPropertiesException(unknown);
        }
        unknown.forEach(UnknownProperties::warn);
    }

    private static void warn(UnknownProperty property) {
        log.warn("The property " + property.description() + " " + property.cure());
    }

    /** Those of files, system properties, arguments and the like, whose names are as written. */
    List<UnknownProperty> find() {
        Set<UnknownProperty> found = new LinkedHashSet<>();
        for (ConfigurationPropertySource source : ConfigurationPropertySources.from(environment.getPropertySources())) {
            if (source instanceof IterableConfigurationPropertySource names
                    && !(source.getUnderlyingSource() instanceof SystemEnvironmentPropertySource)) {
                for (ConfigurationPropertyName name : names) {
                    if (isUnknown(name)) {
                        found.add(unknown(name, source));
                    }
                }
            }
        }
        return List.copyOf(found);
    }

    /**
     * Environment variables that look like a misspelled property. Others may belong to another program, because the environment is
     * shared.
     */
    List<UnknownProperty> findInVariables() {
        Set<UnknownProperty> found = new LinkedHashSet<>();
        for (PropertySource<?> source : environment.getPropertySources()) {
            if (source instanceof SystemEnvironmentPropertySource variables) {
                for (String name : variables.getPropertyNames()) {
                    UnknownProperty unknown = unknownVariable(name);
                    if (unknown != null) {
                        found.add(unknown);
                    }
                }
            }
        }
        return List.copyOf(found);
    }

    private boolean isUnknown(ConfigurationPropertyName name) {
        return name.getNumberOfElements() > 1
                && name.getElement(0, Form.UNIFORM).equals(PREFIX)
                && !Known.TREE.has(PropertyTree.uniform(name, 1));
    }

    private UnknownProperty unknown(ConfigurationPropertyName name, ConfigurationPropertySource source) {
        ConfigurationProperty property = source.getConfigurationProperty(name);
        String origin = property == null || property.getOrigin() == null
                ? null
                : property.getOrigin().toString();
        return new UnknownProperty(name.toString(), origin, cure(name));
    }

    private String cure(ConfigurationPropertyName name) {
        String bracketed = withKeyInBrackets(name);
        if (bracketed != null) {
            return "If a key with a full stop is meant, put it in brackets: " + bracketed + ".";
        }
        List<String> written = new ArrayList<>();
        for (int i = 1; i < name.getNumberOfElements(); i++) {
            if (!name.isNumericIndex(i)) {
                written.add(name.getElement(i, Form.ORIGINAL));
            }
        }
        List<String> nearest = nearest(written);
        return nearest == null
                ? "Remove it, or write one of these: " + siblings(written) + "."
                : "Write " + full(nearest, written) + ".";
    }

    /** The key of a map ends at the first full stop outside of brackets. */
    private @Nullable String withKeyInBrackets(ConfigurationPropertyName name) {
        List<String> elements = PropertyTree.uniform(name, 1);
        for (int end = 3; end < elements.size(); end++) {
            List<String> joined = new ArrayList<>(List.of(elements.get(0), String.join("", elements.subList(1, end))));
            joined.addAll(elements.subList(end, elements.size()));
            boolean isKeyed = leavesBelow(elements.get(0)).stream()
                    .anyMatch(leaf -> leaf.size() > 1 && leaf.get(1).equals(PropertyTree.ANY));
            if (isKeyed && Known.TREE.has(joined)) {
                return name.chop(2) + "[" + name.subName(2).chop(end - 1) + "]." + name.subName(end + 1);
            }
        }
        return null;
    }

    private List<List<String>> leavesBelow(String first) {
        return Known.LEAVES.stream()
                .filter(leaf -> PropertyTree.uniform(leaf.get(0)).equals(first))
                .toList();
    }

    private String siblings(List<String> written) {
        List<List<String>> below = leavesBelow(PropertyTree.uniform(written.get(0)));
        return (below.isEmpty() ? Known.LEAVES : below)
                .stream().map(leaf -> full(leaf, written)).collect(Collectors.joining(", "));
    }

    private static String full(List<String> leaf, List<String> written) {
        return withKey(leaf, written).stream()
                .map(LockProperties::element)
                .collect(Collectors.joining("", LockProperties.PREFIX, ""));
    }

    private static List<String> withKey(List<String> leaf, List<String> written) {
        List<String> path = new ArrayList<>(leaf);
        int key = path.indexOf(PropertyTree.ANY);
        if (key >= 0) {
            path.set(key, written.size() > key + 1 ? written.get(key) : KEY);
        }
        return path;
    }

    /** The property that was probably meant. The last element weighs most, because a known name may be in the wrong place. */
    private @Nullable List<String> nearest(List<String> written) {
        String last = PropertyTree.uniform(written.get(written.size() - 1));
        String parents =
                String.join(".", written.subList(0, written.size() - 1)).toLowerCase(Locale.ROOT);
        List<String> best = null;
        int least = Integer.MAX_VALUE;
        for (List<String> leaf : Known.LEAVES) {
            List<String> path = withKey(leaf, written);
            String end = PropertyTree.uniform(path.get(path.size() - 1));
            int mistakes = distance(last, end);
            int score = 4 * mistakes + distance(parents, String.join(".", path.subList(0, path.size() - 1)));
            if (mistakes <= tolerance(end) && score < least) {
                best = leaf;
                least = score;
            }
        }
        return best;
    }

    private static int tolerance(String name) {
        return Math.max(1, name.length() / 3);
    }

    private @Nullable UnknownProperty unknownVariable(String variable) {
        Matcher matcher = VARIABLE.matcher(variable.toUpperCase(Locale.ROOT));
        if (!matcher.matches() || OF_A_SERVICE.matcher(matcher.group(1)).matches()) {
            return null;
        }
        List<String> words = Arrays.stream(
                        matcher.group(1).toLowerCase(Locale.ROOT).split("_"))
                .filter(word -> !word.isEmpty())
                .toList();
        if (words.isEmpty() || Known.TREE.hasWords(words)) {
            return null;
        }
        String said = String.join("", words);
        for (List<String> leaf : Known.LEAVES) {
            List<String> path = withKey(leaf, words);
            String meant = PropertyTree.uniform(String.join("", path));
            if (distance(said, meant) <= 2) {
                String name = LockProperties.PREFIX.replace("-", "") + "_"
                        + path.stream().map(PropertyTree::uniform).collect(Collectors.joining("_"));
                return new UnknownProperty(
                        variable, "environment variable", "Write " + name.toUpperCase(Locale.ROOT) + ".");
            }
        }
        return null;
    }

    /** The Levenshtein distance. */
    private static int distance(String one, String other) {
        int[] row = new int[other.length() + 1];
        for (int j = 0; j < row.length; j++) {
            row[j] = j;
        }
        for (int i = 1; i <= one.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j < row.length; j++) {
                int replaced = diagonal + (one.charAt(i - 1) == other.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(replaced, Math.min(row[j], row[j - 1]) + 1);
            }
        }
        return row[other.length()];
    }

    /** Read when the first property of the library is found: many applications set none. */
    private static final class Known {

        static final PropertyTree TREE = PropertyTree.ofLibrary();
        static final List<List<String>> LEAVES = TREE.leaves();
    }
}
