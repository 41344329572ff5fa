package io.distributionlock.key;

import io.distributionlock.annotation.LockProblem;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.springframework.expression.Expression;
import org.springframework.expression.common.CompositeStringExpression;
import org.springframework.expression.common.LiteralExpression;
import org.springframework.expression.spel.SpelNode;
import org.springframework.expression.spel.ast.FunctionReference;
import org.springframework.expression.spel.ast.VariableReference;
import org.springframework.expression.spel.standard.SpelExpression;

/** Finds variables that no call has, and text that shows a forgotten {@code #{…}}: as text, it would be one lock for all calls. */
final class ExpressionCheck {

    private final ExpressionScope scope;
    private final String text;
    private final Set<String> variables;
    private final Set<LockProblem> problems = new LinkedHashSet<>();

    /** @param text the whole text of the attribute */
    ExpressionCheck(ExpressionScope scope, String text) {
        this.scope = scope;
        this.text = text;
        this.variables = scope.variables();
    }

    List<LockProblem> check(Expression expression) {
        if (expression instanceof CompositeStringExpression composite) {
            for (Expression part : composite.getExpressions()) {
                check(part);
            }
        } else if (expression instanceof LiteralExpression literal) {
            checkText(literal.getExpressionString());
        } else if (expression instanceof SpelExpression spel) {
            check(spel.getAST());
        }
        return List.copyOf(problems);
    }

    private void checkText(String literal) {
        if (literal.contains("#")) {
            problems.add(scope.problem(
                    text,
                    "has a # outside of #{…}, where it is text, the same for all calls.",
                    "In '" + scope.attribute() + "', put each expression in #{…}, as in order:#{#id}; or, if the sign"
                            + " is meant, write #{'#'}."));
        }
    }

    private void check(SpelNode node) {
        if (node instanceof VariableReference) {
            requireVariable(node.toStringAST().substring(1));
        } else if (node instanceof FunctionReference) {
            String call = node.toStringAST();
            requireVariable(call.substring(1, call.indexOf('(')));
        }
        for (int i = 0; i < node.getChildCount(); i++) {
            check(node.getChild(i));
        }
    }

    private void requireVariable(String name) {
        if (!variables.contains(name)) {
            String action = scope.knowsNames()
                    ? "Name one of " + variables
                    : "Compile with '-parameters' so that parameters have names, or use #p0, #p1 and so on";
            problems.add(scope.problem(
                    text,
                    "names #" + name + ", which is not a parameter of the method.",
                    action + " in '" + scope.attribute() + "'."));
        }
    }
}
