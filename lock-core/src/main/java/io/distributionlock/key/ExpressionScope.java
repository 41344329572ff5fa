package io.distributionlock.key;

import io.distributionlock.annotation.DistributionLock;
import io.distributionlock.annotation.LockProblem;
import io.distributionlock.internal.KotlinMethods;
import io.distributionlock.internal.MessageText;
import io.distributionlock.internal.Placeholders;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.context.expression.BeanFactoryResolver;
import org.springframework.context.expression.MethodBasedEvaluationContext;
import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.core.ParameterNameDiscoverer;
import org.springframework.expression.EvaluationContext;
import org.springframework.expression.EvaluationException;
import org.springframework.expression.Expression;
import org.springframework.expression.ParseException;
import org.springframework.expression.spel.support.StandardEvaluationContext;

/**
 * The expressions in one attribute of a lock, and what they can name, as those of Spring's cache can: the parameters of its method by
 * name and position, the call by {@code #root}, and beans.
 */
final class ExpressionScope {

    private static final ParameterNameDiscoverer NAMES = new DefaultParameterNameDiscoverer();

    private final LockDeclaration declaration;
    private final String attribute;
    private final ConfigurableBeanFactory beanFactory;

    /** Shared by all calls, because they remember the methods and properties that they have found. */
    private final StandardEvaluationContext resolvers = new StandardEvaluationContext();

    /** @param attribute its name in {@link DistributionLock} */
    ExpressionScope(LockDeclaration declaration, String attribute, ConfigurableBeanFactory beanFactory) {
        this.declaration = declaration;
        this.attribute = declaration.names().nameOf(attribute);
        this.beanFactory = beanFactory;
        this.resolvers.setPropertyAccessors(List.of(new DeclaredProperties()));
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

    /** The name of the attribute as it is written. */
    String attribute() {
        return attribute;
    }

    /**
     * Parses the text of the attribute, without its placeholders.
     *
     * @return {@code null}, and a problem, if that fails
     */
    <T> @Nullable T parse(String text, Function<String, @Nullable T> parser, List<LockProblem> problems) {
        String resolved = text;
        try {
            resolved = new Placeholders(beanFactory).resolve(text);
            return parser.apply(resolved);
        } catch (ParseException e) {
            problems.add(problem(
                    resolved,
                    "has an expression that does not parse: " + MessageText.sentence(e.getSimpleMessage()),
                    "Correct the expression in '" + attribute
                            + "'. A condition is one without #{…}; in a key, each stands in #{…}."));
        } catch (IllegalArgumentException e) {
            problems.add(problem(
                    resolved,
                    "has a placeholder that cannot be resolved: " + MessageText.sentence(e),
                    "Set the property, or give the placeholder in '" + attribute
                            + "' a default (${name:default}). A parameter is written #{#name}."));
        }
        return null;
    }

    LockProblem problem(String text, String complaint, String action) {
        return new LockProblem(declaration.place() + ": the " + attribute + " '" + text + "' " + complaint, action);
    }

    /** Whether the class file tells the names of the parameters, if there are any. */
    boolean knowsNames() {
        return NAMES.getParameterNames(declaration.method()) != null;
    }

    /** The names of the variables. */
    Set<String> variables() {
        Set<String> variables = new TreeSet<>(Set.of("root", "this"));
        String[] names = NAMES.getParameterNames(declaration.method());
        for (int i = 0; i < KotlinMethods.parametersOf(declaration.method()); i++) {
            variables.add("p" + i);
            variables.add("a" + i);
            if (names != null) {
                variables.add(names[i]);
            }
        }
        return variables;
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

    /** @throws LockKeyException if it fails */
    @Nullable
    Object valueOf(Expression expression, EvaluationContext context) {
        try {
            return expression.getValue(context);
        } catch (RuntimeException e) {
            // SpEL wraps what a property throws, and passes on what a method throws.
            throw e.getCause() instanceof UnsuitableValueException unsuitable
                    ? unusable(expression, "reads " + unsuitable.getMessage() + ". " + unsuitable.action(), unsuitable)
                    : unusable(
                            expression,
                            "failed: " + MessageText.sentence(e instanceof EvaluationException ? e.getMessage() : e)
                                    + " Correct the expression, or pass arguments that it can read.",
                            e);
        }
    }

    LockKeyException unusable(Expression expression, String complaint, @Nullable Throwable cause) {
        return LockKeyException.of(
                declaration.method(),
                "the expression '" + expression.getExpressionString() + "' of '" + attribute + "' " + complaint,
                cause);
    }
}
