package io.distributionlock.key;

import io.distributionlock.annotation.LockProblem;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.expression.Expression;
import org.springframework.expression.ParseException;
import org.springframework.expression.ParserContext;
import org.springframework.expression.common.CompositeStringExpression;
import org.springframework.expression.common.LiteralExpression;
import org.springframework.expression.spel.SpelNode;
import org.springframework.expression.spel.ast.InlineList;
import org.springframework.expression.spel.ast.OpPlus;
import org.springframework.expression.spel.ast.StringLiteral;
import org.springframework.expression.spel.ast.VariableReference;
import org.springframework.expression.spel.standard.SpelExpressionParser;
import org.springframework.util.StringUtils;

/**
 * Finds what a key has as text, although it looks as if a value should stand there: {@code #id} as in the keys of Spring's cache,
 * {@code {id}} as in the paths of Spring MVC, {@code $id} as in the templates of Kotlin, or {@code %s} as in a format. All calls would
 * share one lock, in silence.
 */
final class UnfilledText {

    private static final SpelExpressionParser PARSER = new SpelExpressionParser();

    private static final String NAME = "\\p{javaJavaIdentifierStart}\\p{javaJavaIdentifierPart}*";
    private static final String BRACES = "\\{\\s*#?(?<braces>[\\p{javaJavaIdentifierPart}.]*)\\s*}";
    private static final String VARIABLE =
            "#(?<variable>" + NAME + ")(?<path>(?:\\??\\." + NAME + "(?:\\(\\))?|\\[[^\\]]*])*)";
    private static final String DOLLAR = "\\$(?<dollar>" + NAME + ")";
    private static final String FORMAT = "%[sd](?!\\p{javaJavaIdentifierPart})";
    private static final Pattern GAP = Pattern.compile(BRACES + "|" + VARIABLE + "|" + DOLLAR + "|" + FORMAT);

    private final ExpressionScope scope;
    private final String text;
    private final List<LockProblem> problems = new ArrayList<>();

    /** @param text the key without placeholders */
    UnfilledText(ExpressionScope scope, String text) {
        this.scope = scope;
        this.text = text;
    }

    /** @param template the key as it is parsed */
    List<LockProblem> check(Expression template) {
        if (template instanceof LiteralExpression) {
            SpelNode expression = expression();
            if (expression != null && mayBeMeant(expression)) {
                String filled = filled(expression);
                // Whoever chooses the value of a whole key chooses any lock.
                String begin =
                        filled.startsWith("#{") ? scope.declaration().method().getName() + ":" : "";
                add(text, begin + filled, begin + filled);
            } else {
                checkText(text);
            }
        } else if (template instanceof CompositeStringExpression composite) {
            for (Expression part : composite.getExpressions()) {
                if (part instanceof LiteralExpression) {
                    checkText(part.getExpressionString());
                }
            }
        }
        return problems;
    }

    /** The whole key, if it parses. Most do not, and others are mere names: {@code order}, {@code nightly-report}. */
    private @Nullable SpelNode expression() {
        try {
            return StringUtils.hasText(text) ? PARSER.parseRaw(text).getAST() : null;
        } catch (ParseException e) {
            return null;
        }
    }

    private static boolean mayBeMeant(SpelNode node) {
        boolean found = node instanceof VariableReference || node instanceof StringLiteral;
        // What is in braces is a list.
        for (int i = 0; i < node.getChildCount() && !found && !(node instanceof InlineList); i++) {
            found = mayBeMeant(node.getChild(i));
        }
        return found;
    }

    /** As a template: {@code 'order:' + #id} is {@code order:#{#id}}. */
    private static String filled(SpelNode node) {
        if (node instanceof OpPlus && node.getChildCount() == 2) {
            return filled(node.getChild(0)) + filled(node.getChild(1));
        }
        return node instanceof StringLiteral literal
                ? String.valueOf(literal.getLiteralValue().getValue())
                : "#{" + node.toStringAST() + "}";
    }

    private void checkText(String literal) {
        Set<String> known = scope.variables().keySet();
        Matcher gap = GAP.matcher(literal);
        while (gap.find()) {
            String instead = valueFor(literal, gap, known);
            if (instead != null) {
                add(literal, gap, instead);
            }
        }
    }

    /** The expression that is meant, or {@code null} if it may be a text. */
    private @Nullable String valueFor(String literal, Matcher gap, Set<String> known) {
        String inBraces = gap.group("braces");
        if (inBraces != null) {
            boolean isPosition = inBraces.isEmpty() || Character.isDigit(inBraces.charAt(0));
            return "#{#" + (isPosition ? "p" : "") + (inBraces.isEmpty() ? "0" : inBraces) + "}";
        }
        String variable = gap.group("variable");
        if (variable != null) {
            boolean isMeant = known.contains(variable) || !scope.knowsNames() || mayBeMisspelled(literal, gap);
            return isMeant ? "#{" + gap.group() + "}" : null;
        }
        String name = gap.group("dollar") != null ? gap.group("dollar") : "p0";
        return known.contains(name) ? "#{#" + name + "}" : null;
    }

    /**
     * Whether a name that no parameter has looks like one: because a path follows, or because it stands where a part of the name would
     * begin, as in {@code order:#ordr}. What follows a letter, a digit or a blank is mostly text, as in {@code OrderService#update} or
     * {@code room #east}. Without a parameter, calls do not differ.
     */
    private boolean mayBeMisspelled(String literal, Matcher gap) {
        boolean hasPath = !gap.group("path").isEmpty();
        char before = gap.start() == 0 ? ':' : literal.charAt(gap.start() - 1);
        boolean beginsPart = !Character.isLetterOrDigit(before) && !Character.isWhitespace(before);
        return (hasPath || beginsPart) && scope.declaration().method().getParameterCount() > 0;
    }

    /** What is wrong besides, such as the name of a parameter. */
    private List<LockProblem> problemsOf(String instead) {
        try {
            Expression filled = PARSER.parseExpression(instead, ParserContext.TEMPLATE_EXPRESSION);
            return new ExpressionCheck(scope, text).check(filled);
        } catch (ParseException e) {
            return List.of();
        }
    }

    private void add(String literal, Matcher gap, String instead) {
        String filled = new StringBuilder(literal)
                .replace(gap.start(), gap.end(), instead)
                .toString();
        add(gap.group(), instead, text.replace(literal, filled));
    }

    /** @param whole the text as it should be */
    private void add(String found, String instead, String whole) {
        problems.add(scope.problem(
                text,
                "has '" + found + "' outside of #{…}, where it is text, the same for all calls.",
                "In '" + scope.attribute() + "', write " + whole + " instead; or, if the text is meant, #{'"
                        + found.replace("'", "''") + "'}."));
        problems.addAll(problemsOf(instead));
    }
}
