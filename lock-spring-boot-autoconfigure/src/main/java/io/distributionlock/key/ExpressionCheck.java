package io.distributionlock.key;

import io.distributionlock.annotation.LockProblem;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.springframework.core.ResolvableType;
import org.springframework.expression.Expression;
import org.springframework.expression.common.CompositeStringExpression;
import org.springframework.expression.spel.SpelNode;
import org.springframework.expression.spel.ast.BeanReference;
import org.springframework.expression.spel.ast.CompoundExpression;
import org.springframework.expression.spel.ast.FunctionReference;
import org.springframework.expression.spel.ast.Indexer;
import org.springframework.expression.spel.ast.Projection;
import org.springframework.expression.spel.ast.PropertyOrFieldReference;
import org.springframework.expression.spel.ast.Selection;
import org.springframework.expression.spel.ast.VariableReference;
import org.springframework.expression.spel.standard.SpelExpression;

/** Finds what an expression names, but nobody has: variables, beans, and properties by the declared types of their owners. */
final class ExpressionCheck {

    private final ExpressionScope scope;
    private final String text;
    private final Map<String, ResolvableType> variables;
    private final DeclaredProperties properties = new DeclaredProperties();
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
        } else if (expression instanceof SpelExpression spel) {
            check(spel.getAST(), ResolvableType.forClass(ExpressionScope.Root.class));
        }
        return List.copyOf(problems);
    }

    /** @param owner what a name without # is a property of; NONE if its type does not tell */
    private void check(SpelNode node, ResolvableType owner) {
        if (node instanceof CompoundExpression) {
            ResolvableType current = owner;
            for (int i = 0; i < node.getChildCount(); i++) {
                current = typeOf(node.getChild(i), current, owner);
            }
        } else {
            typeOf(node, owner, owner);
        }
    }

    /** The declared type of a step, whose arguments have an owner of their own; NONE if nothing tells it. */
    private ResolvableType typeOf(SpelNode step, ResolvableType owner, ResolvableType ownerOfArguments) {
        String text = step.toStringAST();
        if (step instanceof VariableReference) {
            return typeOfVariable(text.substring(1));
        }
        if (step instanceof PropertyOrFieldReference property) {
            return typeOfProperty(property.getName(), owner);
        }
        if (step instanceof FunctionReference) {
            typeOfVariable(text.substring(1, text.indexOf('(')));
        } else if (step instanceof BeanReference) {
            requireBean(text.replaceAll("[@&'\"]", ""));
        }
        boolean ofElements = step instanceof Projection || step instanceof Selection || step instanceof Indexer;
        for (int i = 0; i < step.getChildCount(); i++) {
            check(step.getChild(i), ofElements ? ResolvableType.NONE : ownerOfArguments);
        }
        return ResolvableType.NONE;
    }

    private ResolvableType typeOfVariable(String name) {
        ResolvableType type = variables.get(name);
        if (type != null) {
            return type;
        }
        add(
                "#" + name + ", which is not a parameter of the method.",
                scope.knowsNames()
                        ? "Name one of " + variables.keySet()
                        : "Compile with '-parameters' so that parameters have names, or use #p0, #p1 and so on");
        return ResolvableType.NONE;
    }

    private ResolvableType typeOfProperty(String name, ResolvableType owner) {
        ResolvableType type = properties.typeOf(owner, name);
        if (type != null) {
            return type;
        }
        if (owner.toClass() == ExpressionScope.Root.class) {
            add(
                    "'" + name + "', which is no property of the call (#root).",
                    "A parameter has a # before its name: write one of " + variables.keySet() + " with it");
        } else {
            add(
                    "the property '" + name + "', which a " + owner.toClass().getName() + " does not have.",
                    "Correct the property, or write ['" + name
                            + "'] for the key of a map or what only a subclass has,");
        }
        return ResolvableType.NONE;
    }

    private void requireBean(String name) {
        if (!scope.hasBean(name)) {
            add("the bean '" + name + "', which does not exist.", "Declare the bean, or correct its name");
        }
    }

    private void add(String found, String cure) {
        problems.add(scope.problem(text, "names " + found, cure + " in '" + scope.attribute() + "'."));
    }
}
