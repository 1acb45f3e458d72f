package dev.holdfast;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.belongToAnyOf;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noConstructors;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.core.importer.Location;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import java.util.List;

/** Who may know whom, and what users get to see. */
@AnalyzeClasses(packages = "dev.holdfast", importOptions = ArchitectureTest.OnlyWhatIsShipped.class)
final class ArchitectureTest {
    private static final String CORE = "dev.holdfast";
    private static final String REDIS = "dev.holdfast.redis";
    private static final String WATCHDOG = "dev.holdfast.watchdog";
    private static final String PUBSUB = "dev.holdfast.pubsub";
    private static final String LETTUCE = "io.lettuce..";

    /** All that a user must be able to name. */
    private static final List<Class<?>> API = List.of(
            ConnectionEvent.class,
            ConnectionRole.class,
            DistributedLock.class,
            FencedLock.class,
            FencedOwnedLock.class,
            Holdfast.class,
            HoldfastBuilder.class,
            HoldfastEvent.class,
            HoldfastStats.class,
            LeakTracking.class,
            Lease.class,
            LeaseLoss.class,
            LeaseLostException.class,
            LockEvent.class,
            LockException.class,
            LockHolder.class,
            LockInfo.class,
            LockListener.class,
            LockMode.class,
            LockType.class,
            LossReason.class,
            OwnedLock.class,
            WaitOutcome.class);

    /** Knows nothing but how leases are kept. */
    @ArchTest
    static final ArchRule watchdog_standsAlone = noClasses()
            .that()
            .resideInAPackage(WATCHDOG)
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(CORE, REDIS, PUBSUB, LETTUCE);

    /** Knows nothing but how messages are heard. */
    @ArchTest
    static final ArchRule pubsub_standsAlone = noClasses()
            .that()
            .resideInAPackage(PUBSUB)
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(CORE, REDIS, WATCHDOG);

    /** The edge to Redis knows no lock. */
    @ArchTest
    static final ArchRule redis_knowsNoLock = noClasses()
            .that()
            .resideInAPackage(REDIS)
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(CORE, PUBSUB);

    /** No two packages know each other, on whatever way round. */
    @ArchTest
    static final ArchRule packages_haveNoCycles =
            slices().assignedFrom(new ByPackage()).should().beFreeOfCycles();

    /** The driver stays at the edge; inside, only those who open it and who name its commands or types of address know it. */
    @ArchTest
    static final ArchRule driver_staysAtTheEdge = noClasses()
            .that()
            .resideInAPackage(CORE)
            .and(not(belongToAnyOf(Connections.class, HoldfastBuilder.class, Settings.class, RedisErrors.class)))
            .should()
            .dependOnClassesThat()
            .resideInAPackage(LETTUCE);

    /** Waiting is for states and deadlines. */
    @ArchTest
    static final ArchRule nobody_sleeps = noClasses()
            .should()
            .callMethod(Thread.class, "sleep", long.class)
            .orShould()
            .callMethod(Thread.class, "sleep", long.class, int.class);

    /** A type is either API or cannot be named outside its package; none of the API is open to be extended by accident. */
    @ArchTest
    static void publicTypes_areTheApi(JavaClasses shipped) {
        assertThat(shipped)
                .filteredOn(type -> type.getPackageName().equals(CORE))
                .filteredOn(type -> type.getModifiers().contains(JavaModifier.PUBLIC) && type.isTopLevelClass())
                .extracting(JavaClass::getSimpleName)
                .containsExactlyInAnyOrderElementsOf(
                        API.stream().map(Class::getSimpleName).toList());
    }

    /** What users name names nothing internal: neither by what it takes nor by what it returns. */
    @ArchTest
    static void api_showsNothingInternal(JavaClasses shipped) {
        for (Class<?> type : API) {
            assertThat(shipped.get(type).getMethods())
                    .filteredOn(method -> method.getModifiers().contains(JavaModifier.PUBLIC))
                    .flatExtracting(method -> method.getAllInvolvedRawTypes())
                    .noneMatch(resideInAPackage(REDIS)
                            .or(resideInAPackage(WATCHDOG))
                            .or(resideInAPackage(PUBSUB)));
        }
    }

    /** Classes of the API are final or exceptions: nobody extends what is not made for it. */
    @ArchTest
    static final ArchRule api_isNotExtended = classes()
            .that()
            .resideInAPackage(CORE)
            .and()
            .arePublic()
            .and()
            .areNotInterfaces()
            .and()
            .areNotAssignableTo(Throwable.class)
            .and()
            .doNotHaveModifier(JavaModifier.ABSTRACT)
            .should()
            .haveModifier(JavaModifier.FINAL);

    /** What is abstract in the API has subclasses of ours alone, so that it may gain abstract methods. */
    @ArchTest
    static final ArchRule api_abstractIsClosed = noConstructors()
            .that()
            .areDeclaredInClassesThat()
            .resideInAPackage(CORE)
            .and()
            .areDeclaredInClassesThat()
            .haveModifier(JavaModifier.ABSTRACT)
            .should()
            .bePublic()
            .orShould()
            .beProtected();

    /** Each package is one slice, the root package as well. */
    private static final class ByPackage implements SliceAssignment {
        @Override
        public SliceIdentifier getIdentifierOf(JavaClass type) {
            return SliceIdentifier.of(type.getPackageName());
        }

        @Override
        public String getDescription() {
            return "packages";
        }
    }

    /** What is in the jars: no tests, and nothing of the testkit. */
    static final class OnlyWhatIsShipped implements ImportOption {
        private static final ImportOption NO_TESTS = Predefined.DO_NOT_INCLUDE_TESTS;

        @Override
        public boolean includes(Location location) {
            return NO_TESTS.includes(location) && !location.contains("/dev/holdfast/testkit/");
        }
    }
}
