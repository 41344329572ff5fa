package io.distributionlock.docs;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.JavacTask;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.MalformedURLException;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import javax.lang.model.element.Modifier;
import javax.lang.model.element.NestingKind;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.jspecify.annotations.Nullable;

/** Compiles the snippets of a page together, as one package, against the class path of the tests. */
final class SnippetCompiler {

    private static final String RELEASE = "17";

    private final JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    private final Path output;

    SnippetCompiler(Path output) {
        this.output = output;
    }

    /**
     * A page after compiling.
     *
     * @param problems what is wrong, with page and line
     * @param beans the names of the classes to make beans of, of snippets that run
     * @param statements the snippets to run, with the names of their classes
     */
    record Compiled(List<String> problems, List<String> beans, Map<Snippet, String> statements, ClassLoader classes) {}

    Compiled compile(String page, List<Snippet> snippets) {
        String packageName = "snippets." + page.toLowerCase(Locale.ROOT).replaceAll("[^a-z]+", "_");
        Map<Snippet, SnippetForm> forms = new LinkedHashMap<>();
        List<String> problems = new ArrayList<>();
        List<String> types = new ArrayList<>();
        List<String> configurations = new ArrayList<>();
        for (Snippet snippet : snippets) {
            SnippetForm form = formOf(snippet, types);
            if (form == null) {
                problems.add(
                        snippet + " is neither a file, nor members of a class, nor statements:\n" + snippet.code());
                continue;
            }
            forms.put(snippet, form);
            if (form == SnippetForm.MEMBERS && snippet.run()) {
                configurations.add(SnippetForm.typeName(snippet));
            }
        }
        List<Source> sources = new ArrayList<>();
        Map<Snippet, String> statements = new LinkedHashMap<>();
        forms.forEach((snippet, form) -> {
            sources.add(new Source(snippet, form.source(snippet, packageName, types)));
            if (form == SnippetForm.STATEMENTS && snippet.run()) {
                statements.put(snippet, packageName + "." + SnippetForm.typeName(snippet));
            }
        });
        problems.addAll(compile(sources));
        List<String> beans = new ArrayList<>(types);
        beans.addAll(configurations);
        beans.replaceAll(type -> packageName + "." + type);
        return new Compiled(problems, beans, statements, classLoader());
    }

    private List<String> compile(List<Source> sources) {
        if (sources.isEmpty()) {
            return List.of();
        }
        DiagnosticCollector<JavaFileObject> diagnostics = new DiagnosticCollector<>();
        List<String> options = List.of(
                "-parameters",
                "-proc:none",
                "--release",
                RELEASE,
                "-classpath",
                System.getProperty("java.class.path"),
                "-d",
                output.toString());
        compiler.getTask(null, null, diagnostics, options, null, sources).call();
        return diagnostics.getDiagnostics().stream()
                .filter(diagnostic -> diagnostic.getKind() == Diagnostic.Kind.ERROR)
                .map(SnippetCompiler::describe)
                .toList();
    }

    private static String describe(Diagnostic<? extends JavaFileObject> diagnostic) {
        String message = diagnostic.getMessage(Locale.ROOT);
        return diagnostic.getSource() instanceof Source source
                ? source.snippet.page() + ":" + (source.snippet.line() + diagnostic.getLineNumber() - 2) + ": "
                        + message
                : message;
    }

    /** The first form in which the snippet parses. Adds the names of the classes that it declares, if it runs. */
    private @Nullable SnippetForm formOf(Snippet snippet, List<String> types) {
        for (SnippetForm form : SnippetForm.values()) {
            DiagnosticCollector<JavaFileObject> diagnostics = new DiagnosticCollector<>();
            Source source = new Source(snippet, form.source(snippet, "parsing", List.of()));
            JavacTask task = (JavacTask) compiler.getTask(
                    null, null, diagnostics, List.of("-proc:none", "--release", RELEASE), null, List.of(source));
            Iterable<? extends CompilationUnitTree> units;
            try {
                units = task.parse();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            boolean parses = diagnostics.getDiagnostics().stream()
                    .noneMatch(diagnostic -> diagnostic.getKind() == Diagnostic.Kind.ERROR);
            if (parses) {
                if (form == SnippetForm.FILE && snippet.run()) {
                    units.forEach(unit -> unit.getTypeDecls().forEach(type -> addClass(type, types)));
                }
                return form;
            }
        }
        return null;
    }

    private static void addClass(Tree declared, List<String> types) {
        if (declared instanceof ClassTree type && type.getKind() == Tree.Kind.CLASS) {
            types.add(type.getSimpleName().toString());
        }
    }

    private ClassLoader classLoader() {
        try {
            return new URLClassLoader(new URL[] {output.toUri().toURL()}, Examples.class.getClassLoader());
        } catch (MalformedURLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** A snippet with what is put around it. */
    private static final class Source extends SimpleJavaFileObject {

        private final Snippet snippet;
        private final String text;

        Source(Snippet snippet, String text) {
            super(URI.create("string:///" + SnippetForm.typeName(snippet) + ".java"), Kind.SOURCE);
            this.snippet = snippet;
            this.text = text;
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return text;
        }

        /** A public class may stand in any snippet. */
        @Override
        public boolean isNameCompatible(String simpleName, Kind kind) {
            return kind == Kind.SOURCE;
        }

        @Override
        public @Nullable NestingKind getNestingKind() {
            return null;
        }

        @Override
        public @Nullable Modifier getAccessLevel() {
            return null;
        }
    }
}
