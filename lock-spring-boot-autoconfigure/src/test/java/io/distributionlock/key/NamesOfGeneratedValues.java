package io.distributionlock.key;

import io.distributionlock.LockContext;
import io.distributionlock.annotation.DistributionLock;
import io.distributionlock.annotation.DistributionLockParam;
import io.distributionlock.annotation.InvalidLockDefinitionException;
import io.distributionlock.testing.LockContextRunner;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A program that prints the name of each generated value, a line for each, and what it finds wrong about them in this process. */
final class NamesOfGeneratedValues {

    private static final int VALUES_OF_A_TYPE = 40;
    private static final String REFUSED = "refused";

    private static final PrintStream OUT = new PrintStream(System.out, true, StandardCharsets.UTF_8);

    private NamesOfGeneratedValues() {}

    /** @param arguments the seed, and whether to make the other forms of the values */
    public static void main(String[] arguments) throws Exception {
        Class<?> generated = Class.forName("Generated");
        boolean[] refusedAtStart = new boolean[GeneratedTypes.COUNT];
        LockContextRunner.local(Class.forName("Generated$Service")).run(context -> {
            if (context.getStartupFailure() instanceof InvalidLockDefinitionException failure) {
                failure.problems()
                        .forEach(problem -> Pattern.compile("Service\\.m(\\d+)\\(")
                                .matcher(problem.description())
                                .results()
                                .forEach(method -> refusedAtStart[Integer.parseInt(method.group(1))] = true));
            }
        });
        LockContextRunner.local(Service.class).run(context -> {
            Service service = context.getBean(Service.class);
            for (int i = 0; i < GeneratedTypes.COUNT; i++) {
                Class<?> type = Class.forName(generated.getName() + "$R" + i);
                long seed = Long.parseLong(arguments[0]) + i;
                boolean refused = print(service, type, new GeneratedValues(seed, Boolean.parseBoolean(arguments[1])));
                OUT.println(type.getName() + (refusedAtStart[i] ? " is refused at the start" : " starts"));
                if (refused && !refusedAtStart[i]) {
                    OUT.println("WRONG: a value of " + type.getName() + " is refused, but not at the start");
                }
            }
        });
        OUT.println("end");
    }

    private static boolean print(Service service, Class<?> type, GeneratedValues values) throws Exception {
        Map<Object, String> names = new HashMap<>();
        Map<String, Object> models = new HashMap<>();
        boolean anyRefused = false;
        for (int i = 0; i < VALUES_OF_A_TYPE; i++) {
            GeneratedValues.Value made = values.make(type);
            if (made.value() == null) {
                continue;
            }
            String name = nameOf(service, made.value());
            OUT.println(type.getName() + " " + i + " " + name.replace("\n", "\\n"));
            if (name.equals(REFUSED)) {
                anyRefused = true;
                continue;
            }
            String ofEqual = names.put(made.model(), name);
            Object withThisName = models.put(name, made.model());
            if (ofEqual != null && !ofEqual.equals(name)) {
                OUT.println("WRONG: two names, " + ofEqual + " and " + name);
            }
            if (withThisName != null && !withThisName.equals(made.model())) {
                OUT.println("WRONG: one name, " + name + ", of " + withThisName + " and " + made.model());
            }
        }
        return anyRefused;
    }

    private static String nameOf(Service service, @Nullable Object value) {
        try {
            return service.name(value);
        } catch (LockKeyException e) {
            return REFUSED;
        }
    }

    static class Service {

        @DistributionLock(key = "k")
        public String name(@DistributionLockParam @Nullable Object value) {
            return LockContext.leases().get(0).name();
        }
    }
}
