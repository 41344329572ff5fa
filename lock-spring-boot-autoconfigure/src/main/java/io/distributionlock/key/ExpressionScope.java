package io.distributionlock.key;

import io.distributionlock.annotation.LockProblem;
import io.distributionlock.internal.MessageText;
import io.distributionlock.reflect.SuspendingFunctions;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.context.expression.BeanFactoryResolver;
import org.springframework.context.expression.MethodBasedEvaluationContext;
import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.core.ParameterNameDiscoverer;
import org.springframework.core.ResolvableType;
import org.springframework.expression.EvaluationContext;
import org.springframework.expression.ParseException;
import org.springframework.expression.spel.support.StandardEvaluationContext;

/**
 * What the expressions of a lock can name, as those of Spring's cache can: the parameters of its method by name and position, the call
 * by {@code #root}, and beans.
 */
final class ExpressionScope {

    private static final ParameterNameDiscoverer NAMES = new DefaultParameterNameDiscoverer();

    private final LockDeclaration declaration;
    private final ConfigurableBeanFactory beanFactory;

    /** Shared by all calls, because they remember the methods and properties that they have found. */
    private final StandardEvaluationContext resolvers = new StandardEvaluationContext();

    ExpressionScope(LockDeclaration declaration, ConfigurableBeanFactory beanFactory) {
        this.declaration = declaration;
        this.beanFactory = beanFactory;
        this.resolvers.setBeanResolver(new BeanFactoryResolver(beanFactory));
    }

    /** What {@code #root} is in an expression. */
    record Root(
            Method method,
            String methodName,
            @Nullable Object[] args,
            @Nullable Object target,
            Class<?> targetClass) {}

    // ------------------------------------------------------------------ at start-up

    LockDeclaration declaration() {
        return declaration;
    }

    boolean hasBean(String name) {
        return beanFactory.containsBean(name);
    }

    /** Whether the class file tells the names of the parameters, if there are any. */
    boolean knowsNames() {
        return NAMES.getParameterNames(declaration.method()) != null;
    }

    /** The variables and their declared types. */
    Map<String, ResolvableType> variables() {
        Map<String, ResolvableType> variables = new TreeMap<>();
        variables.put("root", ResolvableType.forClass(Root.class));
        variables.put("this", ResolvableType.NONE);
        String[] names = NAMES.getParameterNames(declaration.method());
        for (int i = 0; i < SuspendingFunctions.parametersOf(declaration.method()); i++) {
            ResolvableType type = declaration.parameterType(i);
            variables.put("p" + i, type);
            variables.put("a" + i, type);
            if (names != null) {
                variables.put(names[i], type);
            }
        }
        return variables;
    }

    /** @param hint what to know about the form of the expression; may be empty */
    static LockProblem unparsable(ParseException e, String place, String attribute, String text, String hint) {
        return new LockProblem(
                place + ": the " + attribute + " '" + text + "' has an expression that does not parse: "
                        + MessageText.sentence(e.getSimpleMessage()),
                "Correct the expression in '" + attribute + "'" + hint + ".");
    }

    static LockProblem unresolved(IllegalArgumentException e, String place, String attribute, String text) {
        return new LockProblem(
                place + ": the " + attribute + " '" + text + "' has a placeholder that cannot be resolved: "
                        + MessageText.sentence(e),
                "Set the property, or give the placeholder in '" + attribute + "' a default (${name:default})."
                        + " A parameter is written #{#name}.");
    }

    // ------------------------------------------------------------------ at a call

    EvaluationContext of(LockInvocation invocation) {
        Method method = declaration.method();
        Object[] arguments = invocation.arguments().toArray();
        Root root = new Root(method, method.getName(), arguments, invocation.target(), declaration.targetClass());
        // The context takes the continuation of a suspending function away, which the advice has not got.
        Object[] withContinuation = Arrays.copyOf(arguments, method.getParameterCount());
        MethodBasedEvaluationContext context = new MethodBasedEvaluationContext(root, method, withContinuation, NAMES);
        resolvers.applyDelegatesTo(context);
        return context;
    }
}
