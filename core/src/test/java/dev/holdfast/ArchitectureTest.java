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

/** Which packages may depend on which, and what is public to users. */
@AnalyzeClasses(packages = "dev.holdfast", importOptions = ArchitectureTest.OnlyWhatIsShipped.class)
final class ArchitectureTest {
    private static final String CORE = "dev.holdfast";
    private static final String REDIS = "dev.holdfast.redis";
    private static final String WATCHDOG = "dev.holdfast.watchdog";
    private static final String PUBSUB = "dev.holdfast.pubsub";
    private static final String LETTUCE = "io.lettuce..";

    /** All types that a user must be able to name. */
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

    /** The watchdog depends on no other part of the library: it only keeps leases. */
    @ArchTest
    static final ArchRule watchdog_standsAlone = noClasses()
            .that()
            .resideInAPackage(WATCHDOG)
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(CORE, REDIS, PUBSUB, LETTUCE);

    /** The pubsub module depends on no other part of the library: it only receives messages. */
    @ArchTest
    static final ArchRule pubsub_standsAlone = noClasses()
            .that()
            .resideInAPackage(PUBSUB)
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(CORE, REDIS, WATCHDOG);

    /** The Redis connection layer depends on no lock type. */
    @ArchTest
    static final ArchRule redis_knowsNoLock = noClasses()
            .that()
            .resideInAPackage(REDIS)
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(CORE, PUBSUB);

    /** Packages have no dependency cycles, direct or indirect. */
    @ArchTest
    static final ArchRule packages_haveNoCycles =
            slices().assignedFrom(new ByPackage()).should().beFreeOfCycles();

    /**
     * Only the connection layer, the types that open connections, and those that name driver commands or addresses use
     * the driver.
     */
    @ArchTest
    static final ArchRule driver_staysAtTheEdge = noClasses()
            .that()
            .resideInAPackage(CORE)
            .and(not(belongToAnyOf(Connections.class, HoldfastBuilder.class, Settings.class, RedisErrors.class)))
            .should()
            .dependOnClassesThat()
            .resideInAPackage(LETTUCE);

    /** Waiting is for states and deadlines, so no code sleeps. */
    @ArchTest
    static final ArchRule nobody_sleeps = noClasses()
            .should()
            .callMethod(Thread.class, "sleep", long.class)
            .orShould()
            .callMethod(Thread.class, "sleep", long.class, int.class);

    /** A type is either API or not visible outside its package; no API type is open to extension by accident. */
    @ArchTest
    static void publicTypes_areTheApi(JavaClasses shipped) {
        assertThat(shipped)
                .filteredOn(type -> type.getPackageName().equals(CORE))
                .filteredOn(type -> type.getModifiers().contains(JavaModifier.PUBLIC) && type.isTopLevelClass())
                .extracting(JavaClass::getSimpleName)
                .containsExactlyInAnyOrderElementsOf(
                        API.stream().map(Class::getSimpleName).toList());
    }

    /** The API exposes no internal type, neither as a parameter nor as a return type. */
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

    /** API classes are final or exceptions: a class that is not made for extension cannot be extended. */
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

    /** Abstract API types have subclasses in this library only, so that abstract methods may be added to them. */
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

    /** What the jars contain: no tests, and nothing of the testkit. */
    static final class OnlyWhatIsShipped implements ImportOption {
        private static final ImportOption NO_TESTS = Predefined.DO_NOT_INCLUDE_TESTS;

        @Override
        public boolean includes(Location location) {
            return NO_TESTS.includes(location) && !location.contains("/dev/holdfast/testkit/");
        }
    }
}
