package io.distributionlock.release;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PublishedPomTest {

    @Test
    void whenAReleaseDependsOnASnapshotOrHasNoAddressThenItIsProvisional() throws Exception {
        assertThat(pom("1.0", "https://address.invalid/x", "2.0-SNAPSHOT").provisional())
                .containsExactly("-SNAPSHOT", ".invalid");
        assertThat(pom("1.0", "https://example.org/x", "2.0").provisional()).isEmpty();
    }

    @Test
    void whenASnapshotHasNoAddressThenNothingIsProvisional() throws Exception {
        assertThat(pom("1.0-SNAPSHOT", "https://address.invalid/x", "2.0-SNAPSHOT")
                        .provisional())
                .isEmpty();
    }

    private static PublishedPom pom(String version, String address, String dependency) throws Exception {
        String text = """
                <project>
                  <version>%s</version>
                  <url>%s</url>
                  <dependencies>
                    <dependency>
                      <version>%s</version>
                    </dependency>
                  </dependencies>
                </project>
                """.formatted(version, address, dependency);
        return new PublishedPom(text.getBytes(UTF_8));
    }
}
