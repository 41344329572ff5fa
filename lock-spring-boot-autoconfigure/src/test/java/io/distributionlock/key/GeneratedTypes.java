package io.distributionlock.key;

import java.util.List;
import java.util.Random;
import java.util.StringJoiner;

/** The source of records with components of random types, and of a service that locks by each. */
final class GeneratedTypes {

    static final int COUNT = 60;

    private static final List<String> SUITABLE = List.of(
            "String",
            "int",
            "Long",
            "boolean",
            "double",
            "Float",
            "java.math.BigDecimal",
            "java.util.UUID",
            "java.time.LocalDate",
            "java.time.Instant",
            "java.time.ZonedDateTime",
            "java.util.Date",
            "java.net.URI",
            "Shade",
            "Labelled",
            "Object");

    private static final List<String> UNSUITABLE =
            List.of("byte[]", "String[][]", "Nameless", "PrintsASet", "PrintsADate", "java.net.URL", "java.sql.Date");

    private GeneratedTypes() {}

    static String source(long seed) {
        Random random = new Random(seed);
        StringBuilder types = new StringBuilder();
        StringBuilder methods = new StringBuilder();
        for (int i = 0; i < COUNT; i++) {
            StringJoiner components = new StringJoiner(", ");
            for (int c = 0; c <= random.nextInt(3); c++) {
                components.add(type(random, i, 3) + " c" + c);
            }
            types.append("    public record R" + i + "(" + components + ") {}\n");
            methods.append("        @DistributionLock(key = \"k\") public void m" + i + "(@DistributionLockParam R" + i
                    + " value) {}\n");
        }
        return """
            import io.distributionlock.annotation.*;
            import java.util.*;

            public class Generated {
                public enum Shade { DARK, LIGHT { @Override public String toString() { return "bright"; } } }
                public static class Nameless { public final String id = "x"; }
                public record Label(String text) {}
                public static class Labelled {
                    private final List<Label> labels;
                    public Labelled(String text) { labels = List.of(new Label(text)); }
                    @Override public String toString() { return "labelled " + labels; }
                }
                public static class PrintsASet {
                    private final Set<String> set = new HashSet<>(Set.of("a", "b", "c", "d", "e"));
                    @Override public String toString() { return "set " + set; }
                }
                public static class PrintsADate {
                    private final Date date = new Date(0);
                    @Override public String toString() { return "date " + date; }
                }
                public static class Service {
            %s    }
            %s}
            """.formatted(methods, types);
    }

    private static String type(Random random, int earlier, int depth) {
        int kind = random.nextInt(depth == 0 ? 5 : 14);
        return switch (kind) {
            case 5, 6 -> "List<" + boxed(type(random, earlier, depth - 1)) + ">";
            case 7, 8 -> "Set<" + boxed(type(random, earlier, depth - 1)) + ">";
            case 9 -> "Map<String, " + boxed(type(random, earlier, depth - 1)) + ">";
            case 10 -> "Optional<" + boxed(type(random, earlier, depth - 1)) + ">";
            case 11 -> "Map.Entry<String, " + boxed(type(random, earlier, depth - 1)) + ">";
            case 12, 13 -> earlier == 0 ? "String" : "R" + random.nextInt(earlier);
            default -> random.nextInt(12) == 0 ? any(random, UNSUITABLE) : any(random, SUITABLE);
        };
    }

    private static String any(Random random, List<String> types) {
        return types.get(random.nextInt(types.size()));
    }

    private static String boxed(String type) {
        return switch (type) {
            case "int" -> "Integer";
            case "boolean" -> "Boolean";
            case "double" -> "Double";
            default -> type;
        };
    }
}
