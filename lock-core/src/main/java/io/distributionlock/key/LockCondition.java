package io.distributionlock.key;

import io.distributionlock.annotation.LockProblem;
import io.distributionlock.internal.Internal;
import io.distributionlock.internal.MessageText;
import io.distributionlock.internal.MethodText;
import java.util.List;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
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
    private static final String ACTION = "Write an expression that is true for the calls that need the lock.";

    private final SpelExpression expression;
    private final ExpressionScope scope;

    private LockCondition(SpelExpression expression, ExpressionScope scope) {
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
        ExpressionScope scope = new ExpressionScope(declaration, "condition", beanFactory);
        return scope.parse(
                text,
                resolved -> {
                    if (resolved.isBlank()) {
                        problems.add(
                                scope.problem(text, "is blank.", "Leave it out if all calls need the lock. " + ACTION));
                        return null;
                    }
                    SpelExpression expression = PARSER.parseRaw(resolved);
                    problems.addAll(new ExpressionCheck(scope, resolved).check(expression));
                    if (expression.getAST() instanceof Literal literal
                            && !(literal.getLiteralValue().getValue() instanceof Boolean)) {
                        problems.add(scope.problem(resolved, "is neither true nor false.", ACTION));
                    }
                    return new LockCondition(expression, scope);
                },
                problems);
    }

    /**
     * Whether this call needs the lock. If not, that is logged at debug.
     *
     * @throws LockKeyException if the expression fails, or its value is not a boolean
     */
    public boolean isTrueFor(LockInvocation invocation) {
        Object value = scope.valueOf(expression, scope.of(invocation));
        if (!(value instanceof Boolean needed)) {
            String type = value == null ? "null" : "a " + value.getClass().getName();
            throw scope.unusable(expression, "is " + type + ", neither true nor false. " + ACTION, null);
        }
        if (!needed && log.isDebugEnabled()) {
            LockDeclaration declaration = scope.declaration();
            log.debug(MethodText.of(declaration.method()) + " runs without the lock '"
                    + MessageText.of(declaration.annotation().key()) + "', because its " + scope.attribute() + " '"
                    + expression.getExpressionString() + "' is false");
        }
        return needed;
    }
}
