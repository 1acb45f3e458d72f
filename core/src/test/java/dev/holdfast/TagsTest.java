package dev.holdfast;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTag;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import dev.holdfast.testkit.RedisServer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;

/** The tag of a test says what the test needs. */
@AnalyzeClasses(packages = "dev.holdfast", importOptions = ImportOption.OnlyIncludeTests.class)
final class TagsTest {
    /** A test that is tagged as pure starts no server, neither itself nor through a helper. */
    @ArchTag("slow")
    @ArchTest
    static final ArchRule pure_startsNoServer = noClasses()
            .that(areTaggedAs("pure"))
            .should()
            .transitivelyDependOnClassesThat(assignableTo(RedisServer.class));

    private static DescribedPredicate<JavaClass> areTaggedAs(String tag) {
        return DescribedPredicate.describe(
                "are tagged as " + tag, type -> Stream.of(type.reflect().getAnnotationsByType(Tag.class))
                        .anyMatch(present -> present.value().equals(tag)));
    }
}
