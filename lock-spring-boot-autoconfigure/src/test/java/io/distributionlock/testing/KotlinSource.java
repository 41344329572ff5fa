package io.distributionlock.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jetbrains.kotlin.cli.common.ExitCode;
import org.jetbrains.kotlin.cli.jvm.K2JVMCompiler;

/** Kotlin, compiled as an application would compile it: with the compiler plugin for Spring, and with the names of parameters. */
public final class KotlinSource {

    private KotlinSource() {}

    /** Compiles a source against the class path of the tests, and loads it. */
    public static URLClassLoader compile(String source, Path folder) throws IOException {
        Path file = Files.writeString(folder.resolve("Source.kt"), source);
        Path classes = folder.resolve("classes");
        List<String> arguments = new ArrayList<>(List.of("-no-stdlib", "-no-reflect", "-nowarn", "-java-parameters"));
        arguments.addAll(List.of("-jvm-target", "17", "-classpath", classPath(), "-d", classes.toString()));
        arguments.addAll(List.of("-Xplugin=" + plugin(), "-P", "plugin:org.jetbrains.kotlin.allopen:preset=spring"));
        arguments.add(file.toString());
        ByteArrayOutputStream messages = new ByteArrayOutputStream();
        ExitCode code = new K2JVMCompiler()
                .exec(new PrintStream(messages, true, StandardCharsets.UTF_8), arguments.toArray(String[]::new));
        assertThat(code).as(messages.toString(StandardCharsets.UTF_8)).isEqualTo(ExitCode.OK);
        return new URLClassLoader(new URL[] {classes.toUri().toURL()}, KotlinSource.class.getClassLoader());
    }

    private static String classPath() {
        return System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    }

    private static String plugin() {
        return List.of(classPath().split(java.io.File.pathSeparator)).stream()
                .filter(entry -> entry.contains("kotlin-allopen-compiler-plugin-embeddable"))
                .findFirst()
                .orElseThrow();
    }
}
