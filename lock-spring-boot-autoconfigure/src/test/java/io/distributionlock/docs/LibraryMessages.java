package io.distributionlock.docs;

import com.sun.source.tree.BinaryTree;
import com.sun.source.tree.ConditionalExpressionTree;
import com.sun.source.tree.ExpressionTree;
import com.sun.source.tree.LiteralTree;
import com.sun.source.tree.MethodInvocationTree;
import com.sun.source.tree.ParenthesizedTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreeScanner;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/**
 * The texts in the sources of the library. What a text is put together from stands there as it is written; what is only known at
 * runtime is a {@code …}.
 */
final class LibraryMessages {

    private static final List<String> MODULES =
            List.of("lock-core", "lock-redis", "lock-redis-quorum", "lock-jdbc", "lock-spring-boot-autoconfigure");

    private static final String UNKNOWN = "…";

    private final List<String> all = new ArrayList<>();
    private final List<List<String>> warnings = new ArrayList<>();

    private LibraryMessages() {}

    static LibraryMessages read() {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        LibraryMessages messages = new LibraryMessages();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
            JavacTask task = (JavacTask) compiler.getTask(
                    null, files, null, List.of("-proc:none"), null, files.getJavaFileObjects(sources()));
            task.parse().forEach(unit -> messages.new Collector().scan(unit, null));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return messages;
    }

    private static Path[] sources() {
        return MODULES.stream()
                .map(module -> Page.project().resolve(module).resolve("src/main/java"))
                .flatMap(LibraryMessages::files)
                .filter(file -> file.toString().endsWith(".java"))
                .toArray(Path[]::new);
    }

    private static Stream<Path> files(Path folder) {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.toList().stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Every text. */
    List<String> all() {
        return all;
    }

    /** What is logged at WARN or ERROR, where it is logged as it is written there: of each, what it may say. */
    List<List<String>> warnings() {
        return warnings;
    }

    private final class Collector extends TreeScanner<Void, Void> {

        @Override
        public Void visitMethodInvocation(MethodInvocationTree call, Void nothing) {
            if (call.getMethodSelect().toString().matches("(.*\\.)?log\\.(warn|error)")) {
                List<String> texts = textsOf(call.getArguments().get(0)).stream()
                        .filter(text -> !text.replace(UNKNOWN, "").isBlank())
                        .toList();
                if (!texts.isEmpty()) {
                    warnings.add(texts);
                }
            }
            return super.visitMethodInvocation(call, nothing);
        }

        @Override
        public Void visitBinary(BinaryTree sum, Void nothing) {
            if (sum.getKind() == Tree.Kind.PLUS) {
                all.addAll(textsOf(sum));
            }
            return super.visitBinary(sum, nothing);
        }

        @Override
        public Void visitLiteral(LiteralTree literal, Void nothing) {
            all.addAll(textsOf(literal));
            return null;
        }
    }

    private static List<String> textsOf(ExpressionTree expression) {
        if (expression instanceof LiteralTree literal) {
            return List.of(String.valueOf(literal.getValue()));
        }
        if (expression instanceof ParenthesizedTree inner) {
            return textsOf(inner.getExpression());
        }
        if (expression instanceof ConditionalExpressionTree choice) {
            return Stream.of(choice.getTrueExpression(), choice.getFalseExpression())
                    .flatMap(each -> textsOf(each).stream())
                    .toList();
        }
        if (expression instanceof BinaryTree sum && sum.getKind() == Tree.Kind.PLUS) {
            List<String> ends = textsOf(sum.getRightOperand());
            return textsOf(sum.getLeftOperand()).stream()
                    .flatMap(start -> ends.stream().map(end -> start + end))
                    .collect(Collectors.toList());
        }
        return List.of(UNKNOWN);
    }
}
