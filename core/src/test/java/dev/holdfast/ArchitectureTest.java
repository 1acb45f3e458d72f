package dev.holdfast;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.belongToAnyOf;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noConstructors;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
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
import dev.holdfast.internal.client.Connections;
import dev.holdfast.internal.session.RedisErrors;
import dev.holdfast.internal.session.ServerUris;
import dev.holdfast.internal.session.Settings;
import java.util.List;
import java.util.Set;

/** Which packages may depend on which, and what is public to users. */
@AnalyzeClasses(packages = "dev.holdfast", importOptions = ArchitectureTest.OnlyWhatIsShipped.class)
final class ArchitectureTest {
    private static final String CORE = "dev.holdfast";
    private static final String INTERNAL = "dev.holdfast.internal..";
    private static final String WATCHDOG = "dev.holdfast.watchdog";
    private static final String PUBSUB = "dev.holdfast.pubsub";
    private static final String LETTUCE = "io.lettuce..";

    /** Create the client, and so depend on its parts. */
    private static final Class<?>[] DOOR = {Holdfast.class, HoldfastBuilder.class};

    /** All types that a user must be able to name. */
    private static final List<Class<?>> API = List.of(
            ConnectionEvent.class,
            ConnectionProblem.class,
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
            MultiLease.class,
            MultiLock.class,
            OwnedLock.class,
            ReleaseUnconfirmedException.class,
            SegmentLease.class,
            SegmentedLock.class,
            TestClock.class,
            WaitOutcome.class);

    /** The watchdog depends on no other part of the library: it only keeps leases. */
    @ArchTest
    static final ArchRule watchdog_standsAlone = noClasses()
            .that()
            .resideInAPackage(WATCHDOG)
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(CORE, INTERNAL, PUBSUB, LETTUCE);

    /** The pubsub module depends on no other part of the library: it only receives messages. */
    @ArchTest
    static final ArchRule pubsub_standsAlone = noClasses()
            .that()
            .resideInAPackage(PUBSUB)
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(CORE, INTERNAL, WATCHDOG);

    /**
     * The rooms of the library, each of which depends on those after it only. The public types are known to all rooms
     * and depend on none, except for the two that create the client.
     */
    @ArchTest
    static final ArchRule rooms_dependDownwards = layeredArchitecture()
            .consideringOnlyDependenciesInAnyPackage("dev.holdfast", INTERNAL)
            .layer("door")
            .definedBy(belongToAnyOf(DOOR))
            .layer("client")
            .definedBy(room("client"))
            .layer("several")
            .definedBy(room("several"))
            .layer("acquire")
            .definedBy(room("acquire"))
            .layer("wait")
            .definedBy(room("wait"))
            .layer("hold")
            .definedBy(room("hold"))
            .layer("session")
            .definedBy(room("session"))
            .layer("kind")
            .definedBy(room("kind"))
            .layer("redis")
            .definedBy(room("redis"))
            .layer("jfr")
            .definedBy(room("jfr"))
            .layer("api")
            .definedBy(resideInAPackage(CORE).and(not(belongToAnyOf(DOOR))))
            .whereLayer("client")
            .mayOnlyBeAccessedByLayers("door")
            .whereLayer("several")
            .mayOnlyBeAccessedByLayers("client")
            .whereLayer("acquire")
            .mayOnlyBeAccessedByLayers("client", "several")
            .whereLayer("wait")
            .mayOnlyBeAccessedByLayers("client", "several", "acquire")
            .whereLayer("hold")
            .mayOnlyBeAccessedByLayers("client", "several", "acquire", "wait")
            .whereLayer("session")
            .mayOnlyBeAccessedByLayers("door", "client", "several", "acquire", "wait", "hold")
            .whereLayer("kind")
            .mayOnlyBeAccessedByLayers("client", "several", "acquire", "wait", "hold", "session")
            .whereLayer("redis")
            .mayOnlyBeAccessedByLayers("client", "several", "acquire", "wait", "hold", "session", "kind")
            .whereLayer("jfr")
            .mayOnlyBeAccessedByLayers("several", "acquire", "hold", "session")
            .whereLayer("jfr")
            .mayNotAccessAnyLayer()
            .whereLayer("api")
            .mayOnlyAccessLayers("api");

    /** The connection layer depends on no lock type, public ones included. */
    @ArchTest
    static final ArchRule redis_dependsOnNoLock =
            noClasses().that(room("redis")).should().dependOnClassesThat().resideInAPackage(CORE);

    /** Nothing but the rooms and the public types is in the jar of core, so nothing else can be public. */
    @ArchTest
    static void packages_areKnown(JavaClasses shipped) {
        assertThat(shipped)
                .extracting(JavaClass::getPackageName)
                .filteredOn(name -> !List.of(WATCHDOG, PUBSUB).contains(name))
                .allMatch(name -> name.equals(CORE) || name.startsWith("dev.holdfast.internal."));
    }

    /**
     * No types depend on one another in a circle of more than nine, top-level types counted with the types they
     * enclose: such types can only be understood together.
     */
    @ArchTest
    static void types_haveNoLargeCycles(JavaClasses shipped) {
        Set<String> largest = TypeCycles.largest(shipped);
        System.out.println("The largest cycle of types: " + largest);
        assertThat(largest).hasSizeLessThanOrEqualTo(9);
    }

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
            .resideInAnyPackage(CORE, INTERNAL)
            .and(not(room("redis")))
            .and(not(belongToAnyOf(
                    Connections.class, HoldfastBuilder.class, Settings.class, ServerUris.class, RedisErrors.class)))
            .and()
            .haveNameNotMatching(
                    "dev\\.holdfast\\.internal\\.client\\."
                            + "(Driver|FirstConnect|FirstConnectLog|LaterTopology|Opening|Seeds|SeedNode|Sentinel|Sentinels)(\\$.*)?")
            .should()
            .dependOnClassesThat()
            .resideInAPackage(LETTUCE);

    /** Waiting is for states and deadlines, so no code sleeps. */
    @ArchTest
    static final ArchRule code_doesNotSleep = noClasses()
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
                    .noneMatch(resideInAPackage(INTERNAL)
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

    private static DescribedPredicate<JavaClass> room(String name) {
        return resideInAPackage("dev.holdfast.internal." + name);
    }

    /** Each package is one slice, except for the two types that create the client. */
    private static final class ByPackage implements SliceAssignment {
        @Override
        public SliceIdentifier getIdentifierOf(JavaClass type) {
            return belongToAnyOf(DOOR).test(type)
                    ? SliceIdentifier.of("door")
                    : SliceIdentifier.of(type.getPackageName());
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
