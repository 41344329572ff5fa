package io.distributionlock.key;

import io.distributionlock.annotation.LockProblem;
import io.distributionlock.internal.MessageText;
import io.distributionlock.reflect.MethodText;
import io.distributionlock.reflect.SuspendingFunctions;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.context.expression.BeanFactoryResolver;
import org.springframework.expression.EvaluationException;
import org.springframework.expression.Expression;
import org.springframework.expression.ParseException;
import org.springframework.expression.ParserContext;
import org.springframework.expression.common.CompositeStringExpression;
import org.springframework.expression.common.LiteralExpression;
import org.springframework.expression.spel.SpelNode;
import org.springframework.expression.spel.ast.BeanReference;
import org.springframework.expression.spel.ast.FunctionReference;
import org.springframework.expression.spel.ast.VariableReference;
import org.springframework.expression.spel.standard.SpelExpression;
import org.springframework.expression.spel.standard.SpelExpressionParser;
import org.springframework.expression.spel.support.StandardEvaluationContext;

/** The {@code key} of a lock: a text with expressions in {@code #{…}}. */
final class KeyTemplate {

    private static final SpelExpressionParser PARSER = new SpelExpressionParser();

    private final String text;
    private final String attribute;
    private final String delimiter;
    private final @Nullable Expression expression;
    private final Method method;
    private final int parameterCount;
    private final ConfigurableBeanFactory beanFactory;

    private KeyTemplate(
            String text,
            String attribute,
            String delimiter,
            @Nullable Expression expression,
            Method method,
            ConfigurableBeanFactory beanFactory) {
        this.text = text;
        this.attribute = attribute;
        this.delimiter = delimiter;
        this.expression = expression;
        this.method = method;
        this.parameterCount = SuspendingFunctions.parametersOf(method);
        this.beanFactory = beanFactory;
    }

    /**
     * @param attribute the name of the attribute, for messages
     * @throws ParseException if an expression does not parse
     */
    static KeyTemplate of(
            String text, String attribute, String delimiter, Method method, ConfigurableBeanFactory beanFactory) {
        Expression expression =
                text.contains("#{") ? PARSER.parseExpression(text, ParserContext.TEMPLATE_EXPRESSION) : null;
        return new KeyTemplate(text, attribute, delimiter, expression, method, beanFactory);
    }

    // ------------------------------------------------------------------ at start-up

    List<LockProblem> check(String place) {
        List<LockProblem> problems = new ArrayList<>();
        if (expression == null) {
            return problems;
        }
        Set<String> variables = new TreeSet<>();
        Set<String> beans = new TreeSet<>();
        for (Expression part : parts(expression)) {
            if (part instanceof SpelExpression spel) {
                collectNames(spel.getAST(), variables, beans);
            }
        }
        variables.removeAll(knownVariables());
        for (String variable : variables) {
            problems.add(unknownVariable(variable, place));
        }
        for (String bean : beans) {
            if (!beanFactory.containsBean(bean)) {
                problems.add(new LockProblem(
                        place + ": the " + attribute + " '" + text + "' names the bean '" + bean
                                + "', which does not exist.",
                        "Correct the name in '" + attribute + "', or declare the bean."));
            }
        }
        return problems;
    }

    private LockProblem unknownVariable(String variable, String place) {
        boolean namesKnown = method.getParameterCount() == 0 || method.getParameters()[0].isNamePresent();
        String cure = namesKnown
                ? "Name one of " + knownVariables() + " in '" + attribute + "'."
                : "Compile with '-parameters' so that parameters have names, or use #p0, #p1 and so on in '" + attribute
                        + "'.";
        return new LockProblem(
                place + ": the " + attribute + " '" + text + "' names #" + variable
                        + ", which is not a parameter of the method.",
                cure);
    }

    private Set<String> knownVariables() {
        Set<String> names = new TreeSet<>(Set.of("args", "target", "method", "root", "this"));
        Parameter[] parameters = method.getParameters();
        for (int i = 0; i < parameterCount; i++) {
            names.add("p" + i);
            names.add("a" + i);
            if (parameters[i].isNamePresent()) {
                names.add(parameters[i].getName());
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

    private static Expression[] parts(Expression expression) {
        return expression instanceof CompositeStringExpression composite
                ? composite.getExpressions()
                : new Expression[] {expression};
    }

    // ------------------------------------------------------------------ at a call

    String text(LockInvocation invocation) {
        if (expression == null) {
            return text;
        }
        StandardEvaluationContext context = context(invocation);
        if (!(expression instanceof CompositeStringExpression)) {
            // The expression is the whole key, and delimits its values itself.
            return expression instanceof LiteralExpression
                    ? expression.getExpressionString()
                    : valueOf(expression, context);
        }
        StringBuilder key = new StringBuilder();
        for (Expression part : parts(expression)) {
            if (part instanceof LiteralExpression) {
                key.append(part.getExpressionString());
            } else {
                LockNameBuilder.appendEncoded(key, valueOf(part, context), delimiter);
            }
        }
        return key.toString();
    }

    private StandardEvaluationContext context(LockInvocation invocation) {
        StandardEvaluationContext context = new StandardEvaluationContext(invocation.target());
        context.setBeanResolver(new BeanFactoryResolver(beanFactory));
        List<@Nullable Object> arguments = invocation.arguments();
        context.setVariable("args", arguments.toArray());
        context.setVariable("target", invocation.target());
        context.setVariable("method", method);
        Parameter[] parameters = method.getParameters();
        for (int i = 0; i < parameterCount; i++) {
            context.setVariable("p" + i, arguments.get(i));
            context.setVariable("a" + i, arguments.get(i));
            if (parameters[i].isNamePresent()) {
                context.setVariable(parameters[i].getName(), arguments.get(i));
            }
        }
        return context;
    }

    private String valueOf(Expression part, StandardEvaluationContext context) {
        String place = "the expression '" + part.getExpressionString() + "' of '" + attribute + "'";
        Object value;
        try {
            value = PropertyPath.unwrapped(part.getValue(context));
        } catch (EvaluationException e) {
            throw unusable(place + " failed: " + MessageText.sentence(e), e);
        }
        if (value == null) {
            throw unusable(place + " is null. Pass a value, or say in the expression what null means.", null);
        }
        try {
            return KeyText.of(value);
        } catch (KeyText.UnusableValueException e) {
            throw unusable(place + " " + e.what() + ". " + e.cure(), e);
        }
    }

    private LockKeyException unusable(String complaint, @Nullable Throwable cause) {
        return new LockKeyException("No lock name can be made for " + MethodText.of(method) + ": " + complaint, cause);
    }
}
