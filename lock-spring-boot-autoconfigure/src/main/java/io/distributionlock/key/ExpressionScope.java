package io.distributionlock.key;

import io.distributionlock.annotation.LockProblem;
import io.distributionlock.internal.MessageText;
import io.distributionlock.reflect.SuspendingFunctions;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.context.expression.BeanFactoryResolver;
import org.springframework.context.expression.MethodBasedEvaluationContext;
import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.core.ParameterNameDiscoverer;
import org.springframework.core.ResolvableType;
import org.springframework.expression.EvaluationContext;
import org.springframework.expression.Expression;
import org.springframework.expression.ParseException;
import org.springframework.expression.common.CompositeStringExpression;
import org.springframework.expression.spel.SpelNode;
import org.springframework.expression.spel.ast.BeanReference;
import org.springframework.expression.spel.ast.CompoundExpression;
import org.springframework.expression.spel.ast.FunctionReference;
import org.springframework.expression.spel.ast.PropertyOrFieldReference;
import org.springframework.expression.spel.ast.VariableReference;
import org.springframework.expression.spel.standard.SpelExpression;
import org.springframework.expression.spel.support.StandardEvaluationContext;

/**
 * What the expressions of a lock can name, as those of Spring's cache can: the parameters of its method by name and position, the call
 * by {@code #root}, and beans.
 */
final class ExpressionScope {

    private static final ParameterNameDiscoverer NAMES = new DefaultParameterNameDiscoverer();
    private static final String ROOT = "#root.args, #root.method, #root.methodName, #root.target and #root.targetClass";

    private final LockDeclaration declaration;
    private final int parameterCount;
    private final @Nullable String @Nullable [] parameterNames;
    private final ConfigurableBeanFactory beanFactory;

    /** Shared by all calls, because they remember the methods and properties that they have found. */
    private final StandardEvaluationContext resolvers = new StandardEvaluationContext();

    ExpressionScope(LockDeclaration declaration, ConfigurableBeanFactory beanFactory) {
        this.declaration = declaration;
        this.parameterCount = SuspendingFunctions.parametersOf(declaration.method());
        this.parameterNames = NAMES.getParameterNames(declaration.method());
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

    /**
     * Reports names that do not exist.
     *
     * @param attribute the attribute that the expression stands in
     * @param text its value
     */
    List<LockProblem> check(Expression expression, String place, String attribute, String text) {
        Set<String> variables = new TreeSet<>();
        Set<String> beans = new TreeSet<>();
        Set<String> properties = new TreeSet<>();
        for (Expression part : parts(expression)) {
            if (part instanceof SpelExpression spel) {
                collectNames(spel.getAST(), variables, beans);
                collectMissingProperties(spel.getAST(), properties);
            }
        }
        variables.removeAll(knownVariables());
        String subject = place + ": the " + attribute + " '" + text + "' names ";
        List<LockProblem> problems = new ArrayList<>();
        for (String variable : variables) {
            problems.add(unknownVariable(subject + "#" + variable, attribute));
        }
        for (String bean : beans) {
            if (!beanFactory.containsBean(bean)) {
                problems.add(new LockProblem(
                        subject + "the bean '" + bean + "', which does not exist.",
                        "Correct the name in '" + attribute + "', or declare the bean."));
            }
        }
        for (String property : properties) {
            problems.add(new LockProblem(
                    subject + property + ", which the class of the parameter does not have.",
                    "Correct the property in '" + attribute + "'."));
        }
        return problems;
    }

    /** Of a parameter whose class can have no subclass: any other object may have more than its declared type. */
    private void collectMissingProperties(SpelNode node, Set<String> missing) {
        if (node instanceof CompoundExpression
                && node.getChildCount() > 1
                && node.getChild(0) instanceof VariableReference variable
                && node.getChild(1) instanceof PropertyOrFieldReference property) {
            String name = variable.toStringAST();
            Class<?> type = typeOf(name.substring(1));
            if (type != null && lacks(type, property.getName())) {
                missing.add(name + "." + property.getName());
            }
        }
        for (int i = 0; i < node.getChildCount(); i++) {
            collectMissingProperties(node.getChild(i), missing);
        }
    }

    private @Nullable Class<?> typeOf(String variable) {
        for (int i = 0; i < parameterCount; i++) {
            boolean named = parameterNames != null && variable.equals(parameterNames[i]);
            if (named || variable.equals("p" + i) || variable.equals("a" + i)) {
                return declaration.method().getParameterTypes()[i];
            }
        }
        return null;
    }

    private static boolean lacks(Class<?> type, String property) {
        return Modifier.isFinal(type.getModifiers())
                && new DeclaredProperties().typeOf(ResolvableType.forClass(type), property) == null;
    }

    private LockProblem unknownVariable(String subject, String attribute) {
        String cure = parameterNames != null
                ? "In '" + attribute + "', name one of " + knownVariables() + ". There are " + ROOT + " too."
                : "Compile with '-parameters' so that parameters have names, or use #p0, #p1 and so on in '" + attribute
                        + "'.";
        return new LockProblem(subject + ", which is not a parameter of the method.", cure);
    }

    private Set<String> knownVariables() {
        Set<String> names = new TreeSet<>(Set.of("root", "this"));
        for (int i = 0; i < parameterCount; i++) {
            names.add("p" + i);
            names.add("a" + i);
            if (parameterNames != null) {
                names.add(parameterNames[i]);
            }
        }
        return names;
    }

    private static void collectNames(SpelNode node, Set<String> variables, Set<String> beans) {
        String text = node.toStringAST();
        if (node instanceof VariableReference) {
            variables.add(text.substring(1));
        } else if (node instanceof FunctionReference) {
            variables.add(text.substring(1, text.indexOf('(')));
        } else if (node instanceof BeanReference) {
            beans.add(text.substring(1).replace("'", "").replace("\"", "").replace("&", ""));
        }
        for (int i = 0; i < node.getChildCount(); i++) {
            collectNames(node.getChild(i), variables, beans);
        }
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
                "Set the property, or give the placeholder in '" + attribute + "' a default (${name:default}).");
    }

    static Expression[] parts(Expression expression) {
        return expression instanceof CompositeStringExpression composite
                ? composite.getExpressions()
                : new Expression[] {expression};
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
