package io.distributionlock.key;

import io.distributionlock.annotation.LockProblem;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.expression.EvaluationContext;
import org.springframework.expression.Expression;
import org.springframework.expression.ParserContext;
import org.springframework.expression.common.CompositeStringExpression;
import org.springframework.expression.common.LiteralExpression;
import org.springframework.expression.spel.standard.SpelExpressionParser;

/** The {@code key} of a lock: a text with expressions in {@code #{…}}. */
final class KeyTemplate {

    private static final SpelExpressionParser PARSER = new SpelExpressionParser();

    private final String text;
    private final Expression expression;
    private final ExpressionScope scope;
    private final String delimiter;

    private KeyTemplate(String text, Expression expression, ExpressionScope scope) {
        this.text = text;
        this.expression = expression;
        this.scope = scope;
        this.delimiter = scope.declaration().annotation().delimiter();
    }

    /** The key of a lock; {@code null}, and a problem, if it cannot be read. */
    static @Nullable KeyTemplate of(
            LockDeclaration declaration, ConfigurableBeanFactory beanFactory, List<LockProblem> problems) {
        ExpressionScope scope = new ExpressionScope(declaration, "key", beanFactory);
        return scope.parse(
                declaration.annotation().key(),
                text -> new KeyTemplate(text, PARSER.parseExpression(text, ParserContext.TEMPLATE_EXPRESSION), scope),
                problems);
    }

    // ------------------------------------------------------------------ at start-up

    List<LockProblem> check() {
        return new ExpressionCheck(scope, text).check(expression);
    }

    // ------------------------------------------------------------------ at a call

    String text(LockInvocation invocation) {
        if (expression instanceof LiteralExpression) {
            return expression.getExpressionString();
        }
        EvaluationContext context = scope.of(invocation);
        if (!(expression instanceof CompositeStringExpression composite)) {
            // The expression is the whole key, and delimits its values itself.
            return valueOf(expression, context);
        }
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
        Object value = ArgumentProperties.unwrapped(scope.valueOf(part, context));
        if (value == null) {
            throw scope.unusable(part, "is null. Pass a value, or say in the expression what null means.", null);
        }
        try {
            return ValueText.of(value);
        } catch (UnsuitableValueException e) {
            String action = e.action() != null ? e.action() : Unsuitable.action(value.getClass(), part);
            throw scope.unusable(part, e.getMessage() + " " + action, e);
        }
    }

    /** Whether it is the same for all calls. */
    boolean isLiteral() {
        return expression instanceof LiteralExpression;
    }

    /** As it is written, without placeholders. */
    String text() {
        return text;
    }
}
