package io.distributionlock.playground.showcase;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import org.junit.jupiter.api.Test;

/** The order application can be taken out of the playground, as {@code start-your-own} does. */
class PlaygroundStructureTest {

    private static final String SHOWCASE = "..playground.showcase..";

    /** Main code and tests. */
    private static final JavaClasses PLAYGROUND =
            new ClassFileImporter().importPackages("io.distributionlock.playground");

    @Test
    void nothingOutsideTheShowcaseNeedsIt() {
        noClasses()
                .that()
                .resideOutsideOfPackage(SHOWCASE)
                .should()
                .dependOnClassesThat()
                .resideInAPackage(SHOWCASE)
                .check(PLAYGROUND);
    }
}
