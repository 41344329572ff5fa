package io.distributionlock.architecture;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.List;

/** The classes that the library ships. */
final class Library {

    static final String ROOT = "io.distributionlock";

    static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages(ROOT)
            .that(com.tngtech.archunit.base.DescribedPredicate.describe(
                    "of the library itself", type -> !type.getSimpleName().equals("package-info")));

    private Library() {}

    static List<String> topLevelClassesOf(String packageName) {
        return CLASSES.stream()
                .filter(type -> type.getPackageName().equals(packageName) && type.isTopLevelClass())
                .map(JavaClass::getSimpleName)
                .toList();
    }
}
