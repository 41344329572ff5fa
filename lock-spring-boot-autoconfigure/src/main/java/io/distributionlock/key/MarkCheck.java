package io.distributionlock.key;

import io.distributionlock.annotation.LockProblem;
import io.distributionlock.key.KeyParts.MarkedParameter;
import io.distributionlock.key.MarkedMembers.MarkedMember;
import io.distributionlock.reflect.KotlinTypes;
import io.distributionlock.reflect.MethodText;
import io.distributionlock.reflect.SuspendingFunctions;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.springframework.core.KotlinDetector;

/** Finds what is wrong with the marks on the parameters of a method, and on the members of their declared types. */
final class MarkCheck {

    private final Method method;
    private final String place;
    private final ArgumentProperties properties = new ArgumentProperties();
    private final List<LockProblem> problems = new ArrayList<>();

    /** @param place where the lock is declared, for messages */
    MarkCheck(Method method, String place) {
        this.method = method;
        this.place = place;
    }

    List<LockProblem> check(List<MarkedParameter> parameters) {
        for (MarkedParameter parameter : parameters) {
            if (parameter.mark() != null) {
                checkCount(parameter, parameter.mark());
                checkPath(parameter);
            }
            checkMembers(parameter);
        }
        for (int i = 0; i < SuspendingFunctions.parametersOf(method); i++) {
            int index = i;
            if (parameters.stream().noneMatch(marked -> marked.index() == index && marked.mark() != null)) {
                checkValueClass(index);
            }
        }
        return problems;
    }

    private void checkCount(MarkedParameter parameter, Mark mark) {
        Class<?> type = parameter.type().resolve(Object.class);
        boolean isWhole = parameter.path().isEmpty();
        boolean isMany = type.isArray() || Collection.class.isAssignableFrom(type);
        boolean mayBeMany = isMany || type == Object.class || type == Iterable.class;
        if (mark.each() && isWhole && !mayBeMany) {
            add(
                    parameter.description() + " has 'each = true', but is not a collection or an array.",
                    "Remove 'each', or make the parameter a collection or an array.");
        }
        if (!mark.each() && isWhole && isMany) {
            add(
                    parameter.description() + " holds many values, not one.",
                    "Set 'each = true' to lock every element on its own, or mark a single value.");
        }
        if (isWhole && Map.class.isAssignableFrom(type)) {
            add(
                    parameter.description() + " holds many values, not one.",
                    "Set 'path' to a key of the map, or mark a single value.");
        }
        if (mark.allowEmpty() && !mark.each()) {
            add(
                    parameter.description() + " has 'allowEmpty = true' without 'each = true'.",
                    "Set 'each = true' as well, or remove 'allowEmpty'.");
        }
    }

    private void checkPath(MarkedParameter parameter) {
        String missing = properties.missingStep(parameter.type(), parameter.path());
        if (missing != null) {
            add(
                    "the path '" + parameter.path() + "' of " + parameter.description() + " has no step '" + missing
                            + "'.",
                    "Set 'path' to properties that exist, each with a getter, an accessor or a field.");
        }
    }

    private void checkMembers(MarkedParameter parameter) {
        Class<?> type = parameter.type().resolve(Object.class);
        for (MarkedMember member :
                KotlinDetector.isInlineClass(type) ? List.<MarkedMember>of() : MarkedMembers.of(type)) {
            if (properties.typeOf(parameter.type(), member.property()) == null) {
                add(
                        "'" + member.property() + "' of " + parameter.description() + " cannot be read.",
                        "Give it a public accessor, or open its package to this library. For a constructor's parameter"
                                + " without a name, compile with '-parameters' ('-java-parameters' in Kotlin).");
            }
        }
    }

    /** Java sees what is inside of a value class of Kotlin, and not its mark: the part would be missing in silence. */
    private void checkValueClass(int index) {
        Class<?> type = KotlinTypes.valueClassOf(method, index);
        if (type != null && !MarkedMembers.of(type).isEmpty()) {
            add(
                    MethodText.parameter(method, index) + " is of the value class " + type.getName()
                            + ", in which @DistributionLockParam has no effect.",
                    "Put @DistributionLockParam on the parameter, and remove it from the value class.");
        }
    }

    private void add(String complaint, String cure) {
        problems.add(new LockProblem(place + ": " + complaint, cure));
    }
}
