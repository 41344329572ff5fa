package io.distributionlock.key;

import io.distributionlock.annotation.LockProblem;
import io.distributionlock.internal.MessageText;
import io.distributionlock.reflect.MethodText;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.expression.EvaluationContext;
import org.springframework.expression.EvaluationException;
import org.springframework.expression.Expression;
import org.springframework.expression.ParseException;
import org.springframework.expression.ParserContext;
import org.springframework.expression.common.CompositeStringExpression;
import org.springframework.expression.common.LiteralExpression;
import org.springframework.expression.spel.standard.SpelExpressionParser;

/** The {@code key} of a lock: a text with expressions in {@code #{…}}. */
final class KeyTemplate {

    private static final SpelExpressionParser PARSER = new SpelExpressionParser();

    private final String text;
    private final @Nullable Expression expression;
    private final LockDeclaration declaration;
    private final String attribute;
    private final ExpressionScope scope;

    private KeyTemplate(
            String text,
            @Nullable Expression expression,
            LockDeclaration declaration,
            ConfigurableBeanFactory beanFactory) {
        this.text = text;
        this.expression = expression;
        this.declaration = declaration;
        this.attribute = declaration.names().nameOf("key");
        this.scope = new ExpressionScope(declaration, beanFactory);
    }

    /**
     * @param text the key without placeholders
     * @throws ParseException if an expression does not parse
     */
    static KeyTemplate of(String text, LockDeclaration declaration, ConfigurableBeanFactory beanFactory) {
        Expression expression =
                text.contains("#{") ? PARSER.parseExpression(text, ParserContext.TEMPLATE_EXPRESSION) : null;
        return new KeyTemplate(text, expression, declaration, beanFactory);
    }

    // ------------------------------------------------------------------ at start-up

    List<LockProblem> check() {
        List<LockProblem> problems = new ArrayList<>(new UnfilledText(scope, attribute, text).check(expression));
        if (expression != null) {
            problems.addAll(new ExpressionCheck(scope, attribute, text).check(expression));
        }
        return problems;
    }

    // ------------------------------------------------------------------ at a call

    String text(LockInvocation invocation) {
        if (expression == null) {
            return text;
        }
        EvaluationContext context = scope.of(invocation);
        if (!(expression instanceof CompositeStringExpression composite)) {
            // The expression is the whole key, and delimits its values itself.
            return expression instanceof LiteralExpression
                    ? expression.getExpressionString()
                    : valueOf(expression, context);
        }
        String delimiter = declaration.annotation().delimiter();
        StringBuilder key = new StringBuilder();
        for (Expression part : composite.getExpressions()) {
            if (part instanceof LiteralExpression) {
                key.append(part.getExpressionString());
            } else {
                NameEncoding.append(key, valueOf(part, context), delimiter);
            }
        }
        return key.toString();
    }

    private String valueOf(Expression part, EvaluationContext context) {
        String place = "the expression '" + part.getExpressionString() + "' of '" + attribute + "'";
        Object value;
        try {
            value = ArgumentProperties.unwrapped(part.getValue(context));
        } catch (EvaluationException e) {
            throw unusable(place + " failed: " + MessageText.sentence(e), e);
        }
        if (value == null) {
            throw unusable(place + " is null. Pass a value, or say in the expression what null means.", null);
        }
        try {
            return KeyText.of(value);
        } catch (IllegalArgumentException e) {
            throw unusable(place + " " + e.getMessage(), e);
        }
    }

    /** As it is written, without placeholders. */
    String text() {
        return text;
    }

    LockKeyException unusable(String complaint) {
        return unusable(complaint, null);
    }

    private LockKeyException unusable(String complaint, @Nullable Throwable cause) {
        return new LockKeyException(
                "No lock name can be made for " + MethodText.of(declaration.method()) + ": " + complaint, cause);
    }
}
