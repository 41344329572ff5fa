package io.distributionlock.docs;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What a snippet is, and what is put around it. The rules: a block that is a whole file with imports gets only the types of
 * {@link Examples}; any other block gets the usual imports as well. Members stand in a class, and statements in a method, that
 * have the field of {@link Examples.Beans}; statements also see the beans that run on their page, under the names of their
 * classes. A body of {@code …} is one that does not matter.
 */
enum SnippetForm {
    FILE,
    MEMBERS,
    STATEMENTS;

    private static final String EXAMPLES = "import static io.distributionlock.docs.Examples.*;";

    private static final String USUAL = Stream.of(
                    "com.tngtech.archunit.junit.ArchTest",
                    "com.tngtech.archunit.lang.ArchRule",
                    "com.tngtech.archunit.library.ProxyRules",
                    "io.distributionlock.*",
                    "io.distributionlock.annotation.*",
                    "io.distributionlock.event.*",
                    "io.distributionlock.failure.*",
                    "io.distributionlock.key.*",
                    "io.distributionlock.leader.*",
                    "io.distributionlock.monitor.*",
                    "java.lang.annotation.*",
                    "java.math.BigDecimal",
                    "java.time.Duration",
                    "java.util.*",
                    "java.util.concurrent.*",
                    "org.springframework.beans.factory.config.ConfigurableListableBeanFactory",
                    "org.springframework.context.annotation.Bean",
                    "org.springframework.context.annotation.Configuration",
                    "org.springframework.context.event.EventListener",
                    "org.springframework.core.annotation.AliasFor",
                    "org.springframework.http.*",
                    "org.springframework.scheduling.annotation.Scheduled",
                    "org.springframework.stereotype.*",
                    "org.springframework.transaction.annotation.Transactional",
                    "org.springframework.web.ErrorResponse",
                    "org.springframework.web.bind.annotation.*",
                    "reactor.core.publisher.*")
            .map(name -> "import " + name + ";")
            .collect(Collectors.joining(" "));

    /** The source, in which the snippet begins on the second line. */
    String source(Snippet snippet, String packageName, List<String> beans) {
        String code = snippet.code().replace("{ … }", "{ throw new UnsupportedOperationException(); }");
        String imports = this == FILE && code.contains("import ") ? EXAMPLES : EXAMPLES + " " + USUAL;
        String head = "package " + packageName + "; " + imports + " ";
        String type = typeName(snippet);
        return switch (this) {
            case FILE -> head + "\n" + code;
            case MEMBERS -> head + "class " + type + " extends Beans {\n" + code + "\n}\n";
            case STATEMENTS ->
                head + "class " + type + " extends Beans { " + fields(beans) + " void run() throws Throwable {\n" + code
                        + "\n}}\n";
        };
    }

    /** The class that is put around members and statements. */
    static String typeName(Snippet snippet) {
        return "Line" + snippet.line();
    }

    private static String fields(List<String> beans) {
        return beans.stream()
                .map(type -> "@org.springframework.beans.factory.annotation.Autowired(required = false) " + type + " "
                        + java.beans.Introspector.decapitalize(type) + ";")
                .collect(Collectors.joining(" "));
    }
}
