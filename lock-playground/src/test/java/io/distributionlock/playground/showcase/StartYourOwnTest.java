package io.distributionlock.playground.showcase;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributionlock.playground.Endpoints;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The project that {@code start-your-own} makes. {@code .ci/start-your-own} builds and runs it. */
class StartYourOwnTest {

    private static final Path PLAYGROUND = Path.of("").toAbsolutePath();
    private static final Path LIBRARY = PLAYGROUND.getParent();
    private static final Path SHELL = PLAYGROUND.resolve("start-your-own");
    private static final Path TEMPLATES = PLAYGROUND.resolve("start-your-own.d");

    private static final int MOST_FILES = 30;
    private static final long MOST_LINES = 1_400;

    @TempDir
    private Path room;

    private record Run(int status, String output) {}

    @Test
    void theProjectIsSmallAndHasNothingOfTheShowcase() throws Exception {
        Run run = startYourOwn(room, "my app");

        assertThat(run.status()).as(run.output()).isZero();
        Path project = room.resolve("my app");
        List<Path> code = filesOf(project.resolve("src/main/java"));
        assertThat(code)
                .hasSizeBetween(10, MOST_FILES)
                .allMatch(file -> file.toString().endsWith(".java"));
        assertThat(code.stream().mapToLong(file -> text(file).lines().count()).sum())
                .isBetween(100L, MOST_LINES);
        assertThat(filesOf(project))
                .allSatisfy(file -> assertThat(text(file))
                        .doesNotContainIgnoringCase("showcase")
                        .doesNotContain("io.distributionlock.playground")
                        .doesNotContainPattern("@[a-z-]+@"));
    }

    @Test
    void theProjectHasItsNamesAndTheVersionsOfThisOne() throws Exception {
        Run run = startYourOwn(room, room.resolve("Orders of (mine)").toString(), "org.acme.shop_1");

        assertThat(run.status()).as(run.output()).isZero();
        Path project = room.resolve("Orders of (mine)");
        assertThat(text(project.resolve("src/main/java/org/acme/shop_1/PlaygroundApplication.java")))
                .startsWith("package org.acme.shop_1;");
        assertThat(text(project.resolve("src/main/resources/application.yml")))
                .contains("    name: Orders-of-mine\n", "    key-prefix: ${spring.application.name}\n")
                .doesNotContain("---");
        assertThat(text(project.resolve("pom.xml")))
                .contains("<groupId>org.acme.shop_1</groupId>", "<artifactId>Orders-of-mine</artifactId>")
                .contains("<version>" + property("spring-boot-next.version") + "</version>")
                .contains("<java.version>" + property("java.version") + "</java.version>");
        assertThat(project.resolve("mvnw")).isExecutable().hasSameTextualContentAs(LIBRARY.resolve("mvnw"));
        assertThat(project.resolve(".gitignore"))
                .content()
                .contains("\n/data/\n")
                .doesNotContain("playground");
    }

    @Test
    void thePomHasTheDependenciesOfThePlayground() {
        assertThat(dependencies(TEMPLATES.resolve("pom.template.xml")))
                .containsAll(dependencies(PLAYGROUND.resolve("pom.xml")).stream()
                        .filter(dependency -> !dependency.endsWith(":test"))
                        .toList());
    }

    @Test
    void itsReadmeAndPageUseTheEndpoints() {
        assertThat(text(TEMPLATES.resolve("README.md"))).contains("8080" + Endpoints.ROOT + Endpoints.UPDATE);
        assertThat(text(TEMPLATES.resolve("index.html")))
                .contains(Endpoints.UPDATE.substring(1), Endpoints.ORDERS.substring(1));
    }

    @Test
    void itSaysWhatToDoNext() throws Exception {
        String output = startYourOwn(room, "mine").output();

        assertThat(output)
                .contains(
                        "cd '" + LIBRARY.toRealPath() + "'",
                        "cd '" + room.toRealPath().resolve("mine") + "'");
        // Its README names the same.
        String readme = text(room.resolve("mine/README.md"));
        assertThat(output.lines().map(String::strip).filter(line -> line.startsWith("./mvnw")))
                .hasSize(2)
                .allSatisfy(command -> assertThat(readme).contains(command));
    }

    @Test
    void aFolderThatIsNotEmptyIsLeftAlone() throws Exception {
        Path folder = Files.createDirectory(room.resolve("mine"));
        Files.createFile(folder.resolve(".hidden"));

        Run run = startYourOwn(room, "mine");

        assertThat(run.status()).isEqualTo(1);
        assertThat(run.output()).isEqualTo("start-your-own: mine is not empty. Choose a new or an empty folder.\n");
        assertThat(filesOf(room)).containsExactly(folder.resolve(".hidden"));
    }

    @Test
    void anEmptyFolderIsFilled() throws Exception {
        Path folder = Files.createDirectory(room.resolve("mine"));

        assertThat(startYourOwn(folder, ".").status()).isZero();
        assertThat(text(folder.resolve("pom.xml"))).contains("<artifactId>mine</artifactId>");
    }

    @ParameterizedTest
    @ValueSource(strings = {"Com.example", "com..example", ".com", "com.", "com.1a", "a-b", "com/example", "a b"})
    void aWrongPackageIsRefused(String name) throws Exception {
        Run run = startYourOwn(room, "mine", name);

        assertThat(run.status()).isEqualTo(1);
        assertThat(run.output()).startsWith("start-your-own: " + name + " is not a package name");
        assertThat(room.resolve("mine")).doesNotExist();
    }

    @ParameterizedTest
    @ValueSource(strings = {"com.class", "new.app", "org.int.shop", "_"})
    void aWordOfJavaIsNoPackage(String name) throws Exception {
        Run run = startYourOwn(room, "mine", name);

        assertThat(run.status()).isEqualTo(1);
        assertThat(run.output()).contains("is a word of Java");
        assertThat(room.resolve("mine")).doesNotExist();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "com.example\norg.acme",
                "com.example\n",
                "\ncom.example",
                "com.example\r",
                "com.ex\tample",
                "com\u001b"
            })
    void aPackageThatBreaksTheLineIsRefused(String name) throws Exception {
        Run run = startYourOwn(room, "mine", name);

        assertThat(run.status()).isEqualTo(1);
        assertThat(run.output())
                .isEqualTo("start-your-own: The package contains a line break or another control character.\n");
        assertThat(filesOf(room)).isEmpty();
        assertThat(room.resolve("mine")).doesNotExist();
    }

    @ParameterizedTest
    @ValueSource(strings = {"mi\nne", "mine\n", "mi\rne", "a\tb", "mi\nne/inner"})
    @DisabledOnOs(OS.WINDOWS)
    void aFolderThatBreaksTheLineIsRefused(String folder) throws Exception {
        Run run = startYourOwn(room, folder);

        assertThat(run.status()).isEqualTo(1);
        assertThat(run.output()).contains("The path of the folder contains a line break");
        try (Stream<Path> made = Files.list(room)) {
            assertThat(made).isEmpty();
        }
        Path inside = Files.createDirectories(room.resolve(folder));
        assertThat(startYourOwn(inside, ".").status()).isEqualTo(1);
        assertThat(startYourOwn(inside, "new").status()).isEqualTo(1);
        assertThat(filesOf(room)).isEmpty();
    }

    @Test
    void withoutAFolderItSaysHowToUseIt() throws Exception {
        Run run = startYourOwn(room);

        assertThat(run.status()).isEqualTo(1);
        assertThat(run.output()).startsWith("start-your-own: Usage: start-your-own FOLDER [PACKAGE]");
    }

    private static Run startYourOwn(Path directory, String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("sh", SHELL.toString()));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Run(process.waitFor(), output);
    }

    /** In the form {@code group:artifact:scope}. */
    private static List<String> dependencies(Path pom) {
        String all = text(pom).replaceAll("(?s)<(exclusions|version|optional)>.*?</\\1>|<!--.*?-->", "");
        return Pattern.compile("(?s)<dependency>(.*?)</dependency>")
                .matcher(all)
                .results()
                .map(dependency ->
                        dependency.group(1).replaceAll("<[^>]*>|\\s+", " ").strip())
                .map(dependency -> dependency.replaceAll(" +", ":"))
                .toList();
    }

    private static String property(String name) {
        return Pattern.compile("<" + name + ">([^<]*)<")
                .matcher(text(LIBRARY.resolve("pom.xml")))
                .results()
                .map(match -> match.group(1))
                .findFirst()
                .orElseThrow();
    }

    private static List<Path> filesOf(Path folder) {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(Files::isRegularFile).toList();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }
}
