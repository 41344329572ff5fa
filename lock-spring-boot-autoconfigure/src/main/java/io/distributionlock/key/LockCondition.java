package io.distributionlock.key;

import io.distributionlock.annotation.LockProblem;
import io.distributionlock.internal.Internal;
import io.distributionlock.internal.MessageText;
import io.distributionlock.reflect.MethodText;
import io.distributionlock.reflect.Placeholders;
import java.util.List;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.expression.EvaluationException;
import org.springframework.expression.ParseException;
import org.springframework.expression.spel.ast.Literal;
import org.springframework.expression.spel.standard.SpelExpression;
import org.springframework.expression.spel.standard.SpelExpressionParser;

/**
 * The {@code condition} of a lock: an expression that says whether a call needs the lock. Thread-safe.
 *
 * @hidden
 */
@Internal
public final class LockCondition {

    private static final Log log = LogFactory.getLog(LockCondition.class);
    private static final SpelExpressionParser PARSER = new SpelExpressionParser();
    private static final String CURE = "Write an expression that is true for the calls that need the lock.";

    private final LockDeclaration declaration;
    private final String attribute;
    private final SpelExpression expression;
    private final ExpressionScope scope;

    private LockCondition(LockDeclaration declaration, SpelExpression expression, ExpressionScope scope) {
        this.declaration = declaration;
        this.attribute = declaration.names().nameOf("condition");
        this.expression = expression;
        this.scope = scope;
    }

    /** The condition of a lock, or {@code null} if it has none. Adds what is wrong with it to {@code problems}. */
    public static @Nullable LockCondition of(
            LockDeclaration declaration, ConfigurableBeanFactory beanFactory, List<LockProblem> problems) {
        String text = declaration.annotation().condition();
        if (text.isEmpty()) {
            return null;
        }
        String place = declaration.place();
        String attribute = declaration.names().nameOf("condition");
        try {
            String resolved = new Placeholders(beanFactory).resolve(text);
            if (resolved.isBlank()) {
                problems.add(new LockProblem(
                        place + ": the " + attribute + " '" + text + "' is blank.",
                        "Leave it out if all calls need the lock. " + CURE));
                return null;
            }
            text = resolved;
            SpelExpression expression = PARSER.parseRaw(text);
            ExpressionScope scope = new ExpressionScope(declaration, beanFactory);
            problems.addAll(new ExpressionCheck(scope, attribute, text).check(expression));
            if (expression.getAST() instanceof Literal literal
                    && !(literal.getLiteralValue().getValue() instanceof Boolean)) {
                problems.add(new LockProblem(
                        place + ": the " + attribute + " '" + text + "' is neither true nor false.", CURE));
            }
            return new LockCondition(declaration, expression, scope);
        } catch (ParseException e) {
            problems.add(ExpressionScope.unparsable(e, place, attribute, text, ", which stands there without #{…}"));
        } catch (IllegalArgumentException e) {
            problems.add(ExpressionScope.unresolved(e, place, attribute, text));
        }
        return null;
    }

    /**
     * Whether this call needs the lock. If not, that is logged at debug.
     *
     * @throws LockKeyException if the expression fails, or its value is not a boolean
     */
    public boolean isTrueFor(LockInvocation invocation) {
        Object value;
        try {
            value = expression.getValue(scope.of(invocation));
        } catch (EvaluationException e) {
            throw unusable("failed: " + MessageText.sentence(e), e);
        }
        if (!(value instanceof Boolean needed)) {
            throw unusable(
                    "is " + (value == null ? "null" : "a " + value.getClass().getName()) + ", neither true nor false. "
                            + CURE,
                    null);
        }
        if (!needed && log.isDebugEnabled()) {
            log.debug(MethodText.of(declaration.method()) + " runs without the lock '"
                    + MessageText.of(declaration.annotation().key()) + "', because its " + attribute + " '"
                    + expression.getExpressionString() + "' is false");
        }
        return needed;
    }

    private LockKeyException unusable(String complaint, @Nullable Throwable cause) {
        return new LockKeyException(
                "Whether " + MethodText.of(declaration.method()) + " needs its lock is not known: the expression '"
                        + expression.getExpressionString() + "' of '" + attribute + "' " + complaint,
                cause);
    }
}
