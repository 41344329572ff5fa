package io.distributionlock.release;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The bundle has what public repositories ask for, and nothing else. */
class BundleIT {

    private static final String CORE = "lock-core";
    private static final String REDIS = "lock-redis";
    private static final String QUORUM = "lock-redis-quorum";
    private static final String JDBC = "lock-jdbc";
    private static final String AUTO_CONFIGURATION = "lock-spring-boot-autoconfigure";
    private static final String STARTER = "lock-spring-boot-starter";
    private static final String STARTER_4 = "lock-spring-boot4-starter";
    private static final String CONTRACT = "lock-executor-tck";
    private static final String TEST_KIT = "lock-spring-boot-test";
    private static final String BOM = "lock-bom";

    private static final List<String> LIBRARY = List.of(CORE, REDIS, QUORUM, JDBC, AUTO_CONFIGURATION);
    private static final List<String> JARS =
            List.of(CORE, REDIS, QUORUM, JDBC, AUTO_CONFIGURATION, STARTER, STARTER_4, CONTRACT, TEST_KIT);

    private static final List<String> OF_A_BOM = List.of(".pom");
    private static final List<String> OF_A_JAR =
            List.of(".pom", ".jar", "-sources.jar", "-javadoc.jar", "-cyclonedx.json");
    private static final Map<String, String> CHECKSUMS = Map.of(".md5", "MD5", ".sha1", "SHA-1");
    private static final boolean SIGNED = !Boolean.getBoolean("release.unsigned");

    private static final Path PROJECT = Path.of("../..");

    private static Bundle bundle;

    static Stream<String> jars() {
        return JARS.stream();
    }

    static Stream<String> published() {
        return Stream.concat(jars(), Stream.of(BOM));
    }

    @BeforeAll
    static void read() throws Exception {
        bundle = Bundle.read(Path.of(System.getProperty("release.bundle")), System.getProperty("release.version"));
    }

    @Test
    void whenPackedThenItHasTheFilesOfThePublishedModulesOnly() {
        Set<String> expected = new TreeSet<>();
        published().forEach(module -> {
            for (String end : module.equals(BOM) ? OF_A_BOM : OF_A_JAR) {
                String file = bundle.folder(module) + module + "-" + bundle.version() + end;
                expected.addAll(List.of(file, file + ".md5", file + ".sha1"));
                if (SIGNED) {
                    expected.add(file + ".asc");
                }
            }
        });

        // Maven adds checksums to signatures or not, depending on its version.
        assertThat(bundle.files().keySet().stream().filter(file -> !file.matches(".*\\.asc\\.(md5|sha1)")))
                .containsExactlyInAnyOrderElementsOf(expected);
    }

    @Test
    void whenAFileHasAChecksumThenItIsTheRightOne() throws Exception {
        for (Map.Entry<String, byte[]> file : bundle.files().entrySet()) {
            for (Map.Entry<String, String> checksum : CHECKSUMS.entrySet()) {
                byte[] stated = bundle.files().get(file.getKey() + checksum.getKey());
                if (stated != null) {
                    byte[] digest =
                            MessageDigest.getInstance(checksum.getValue()).digest(file.getValue());
                    assertThat(new String(stated, UTF_8))
                            .as(file.getKey() + checksum.getKey())
                            .isEqualTo(HexFormat.of().formatHex(digest));
                }
            }
        }
    }

    @ParameterizedTest
    @MethodSource("published")
    void whenAPomIsReadAloneThenItSaysWhatAndWhoseItIs(String module) throws Exception {
        PublishedPom pom = pom(module);

        assertThat(pom.at("/project/groupId")).isEqualTo("io.distributionlock");
        assertThat(pom.at("/project/artifactId")).isEqualTo(module);
        assertThat(pom.at("/project/version")).isEqualTo(bundle.version());
        assertThat(pom.at("/project/licenses/license/name")).isEqualTo("Apache License, Version 2.0");
        for (String path : List.of(
                "/project/name",
                "/project/description",
                "/project/url",
                "/project/licenses/license/url",
                "/project/developers/developer/name",
                "/project/developers/developer/email",
                "/project/scm/connection",
                "/project/scm/developerConnection",
                "/project/scm/url")) {
            assertThat(pom.at(path)).as(path).isNotEmpty();
        }
        assertThat(pom.at("/project/url")).isEqualTo(pom.at("/project/scm/url")).doesNotContain(module);
        assertThat(pom.provisional())
                .as("to be changed in the poms before a release")
                .isEmpty();
    }

    @ParameterizedTest
    @MethodSource("published")
    void whenAPomIsReadThenItBringsNothingOfTheBuild(String module) throws Exception {
        PublishedPom pom = pom(module);

        for (String element : List.of("parent", "modules", "build", "profiles", "repositories")) {
            assertThat(pom.at("/project/" + element)).as(element).isEmpty();
        }
        assertThat(pom.dependencies("//dependency[scope = 'test' or scope = 'import']"))
                .isEmpty();
        assertThat(pom.dependencies("//dependency")).isNotEmpty().noneMatch(dependency -> dependency.endsWith(":"));
    }

    @Test
    void whenTheBomIsReadThenItHasTheModulesAndNothingElse() throws Exception {
        assertThat(pom(BOM).dependencies("/project/dependencyManagement/dependencies/dependency"))
                .containsExactlyInAnyOrderElementsOf(
                        jars().map(module -> "io.distributionlock:" + module + ":${project.version}")
                                .toList());
    }

    @ParameterizedTest
    @MethodSource("jars")
    void whenAJarIsOpenedThenItsLicenceIsInItAndNotThoseOfOthers(String module) throws Exception {
        byte[] licence = Files.readAllBytes(PROJECT.resolve("LICENSE"));

        assertThat(bundle.jar(module, ".jar").get("META-INF/LICENSE")).isEqualTo(licence);
        assertThat(bundle.jar(module, "-sources.jar").get("META-INF/LICENSE")).isEqualTo(licence);
        assertThat(bundle.jar(module, ".jar")).doesNotContainKey("THIRD-PARTY.txt");
    }

    @ParameterizedTest
    @ValueSource(strings = {CORE, REDIS, QUORUM, JDBC, AUTO_CONFIGURATION, CONTRACT, TEST_KIT})
    void whenAClassIsPublishedThenItsSourceIsToo(String module) {
        Set<String> classes = names(bundle.jar(module, ".jar").keySet(), "([^$]+)\\.class");
        Set<String> sources = names(bundle.jar(module, "-sources.jar").keySet(), "(.+)\\.java");

        assertThat(classes).isNotEmpty();
        assertThat(sources).containsAll(classes);
    }

    @Test
    void whenTheJavadocIsReadThenItShowsThePromisedTypesOnly() throws Exception {
        Path list = PROJECT.resolve(AUTO_CONFIGURATION + "/src/test/resources/promised-api.txt");
        Set<String> promised = Files.readAllLines(list).stream()
                .filter(line -> !line.startsWith(" "))
                .map(line -> line.substring(0, line.indexOf(':')))
                .filter(type -> !type.contains("$"))
                .collect(Collectors.toCollection(TreeSet::new));

        Set<String> shown = new TreeSet<>();
        for (String module : LIBRARY) {
            shown.addAll(names(bundle.jar(module, "-javadoc.jar").keySet(), "(io/(?:[a-z]+/)+[A-Z][A-Za-z]*)\\.html"));
        }
        assertThat(shown).isEqualTo(promised);
        assertThat(bundle.jar(TEST_KIT, "-javadoc.jar")).containsKey("index.html");
        assertThat(bundle.jar(CONTRACT, "-javadoc.jar")).containsKey("index.html");
        assertThat(bundle.jar(STARTER, "-javadoc.jar")).containsKey("README.md");
    }

    @ParameterizedTest
    @MethodSource("jars")
    void whenTheBillOfMaterialsIsReadThenItListsWhatThePomBrings(String module) throws Exception {
        JsonNode bill = billOfMaterials(module);

        assertThat(bill.path("bomFormat").asText()).isEqualTo("CycloneDX");
        assertThat(bill.path("serialNumber").asText()).startsWith("urn:uuid:");
        assertThat(coordinates(bill.path("metadata").path("component")))
                .isEqualTo("io.distributionlock:" + module + ":" + bundle.version());
        assertThat(components(bill))
                .containsAll(pom(module).dependencies("/project/dependencies/dependency[not(scope = 'provided')]"));
        assertThat(bill.path("components"))
                .isNotEmpty()
                .allSatisfy(component -> assertThat(component.path("licenses"))
                        .as("licences of %s", component.path("purl").asText())
                        .isNotEmpty());
    }

    /** Another tool looked at the licences: it must have seen the same. */
    @ParameterizedTest
    @ValueSource(strings = {STARTER, STARTER_4, CONTRACT, TEST_KIT})
    void whenTheBillOfMaterialsIsReadThenItListsWhatTheLicencesWereLookedAtOf(String module) throws Exception {
        String licences =
                Files.readString(PROJECT.resolve(module + "/target/generated-sources/license/THIRD-PARTY.txt"));
        Set<String> lookedAt = Pattern.compile("\\(([^():\\s]+:[^():\\s]+:[^():\\s]+) - ")
                .matcher(licences)
                .results()
                .map(found -> found.group(1))
                .collect(Collectors.toCollection(TreeSet::new));

        assertThat(components(billOfMaterials(module)).stream()
                        .filter(component -> !component.startsWith("io.distributionlock:")))
                .containsExactlyInAnyOrderElementsOf(lookedAt);
    }

    private static PublishedPom pom(String module) throws Exception {
        return new PublishedPom(bundle.file(module, ".pom"));
    }

    private static JsonNode billOfMaterials(String module) throws Exception {
        return new ObjectMapper().readTree(bundle.file(module, "-cyclonedx.json"));
    }

    private static Set<String> components(JsonNode bill) {
        Set<String> components = new TreeSet<>();
        bill.path("components").forEach(component -> components.add(coordinates(component)));
        return components;
    }

    private static String coordinates(JsonNode component) {
        return String.join(
                ":",
                component.path("group").asText(),
                component.path("name").asText(),
                component.path("version").asText());
    }

    /** What the pattern's group finds, as names of classes. */
    private static Set<String> names(Set<String> files, String pattern) {
        Pattern compiled = Pattern.compile(pattern);
        return files.stream()
                .map(compiled::matcher)
                .filter(Matcher::matches)
                .map(found -> found.group(1).replace('/', '.'))
                .collect(Collectors.toCollection(TreeSet::new));
    }
}
