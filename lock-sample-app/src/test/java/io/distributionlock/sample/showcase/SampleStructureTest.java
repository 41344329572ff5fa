package io.distributionlock.sample.showcase;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import org.junit.jupiter.api.Test;

/** The order application can be taken out of the sample, as {@code start-your-own} does. */
class SampleStructureTest {

    private static final String SHOWCASE = "..sample.showcase..";

    /** Main code and tests. */
    private static final JavaClasses SAMPLE = new ClassFileImporter().importPackages("io.distributionlock.sample");

    @Test
    void nothingOutsideTheShowcaseNeedsIt() {
        noClasses()
                .that()
                .resideOutsideOfPackage(SHOWCASE)
                .should()
                .dependOnClassesThat()
                .resideInAPackage(SHOWCASE)
                .check(SAMPLE);
    }
}
