package dev.holdfast;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.belongToAnyOf;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noConstructors;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static java.util.Map.entry;
import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.SoftAssertions.assertSoftly;

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
import dev.holdfast.internal.node.RedisErrors;
import dev.holdfast.internal.session.ServerUris;
import dev.holdfast.internal.session.Settings;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

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
            DistributedCountDownLatch.class,
            DistributedSemaphore.class,
            Permits.class,
            SemaphoreInfo.class,
            DistributedLock.class,
            DistributedReadWriteLock.class,
            FencedLock.class,
            FencedOwnedLock.class,
            Holdfast.class,
            HoldfastBuilder.class,
            HoldfastEvent.class,
            HoldfastStats.class,
            LatchGoneException.class,
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
            WaitOutcome.class,
            WrongKindException.class);

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
     * The rooms of the library from top to bottom, and for each the rooms on which it depends: those and no others. The
     * public types are known to all rooms and depend on none, except for the two that create the client.
     */
    private static final Map<String, List<String>> ROOMS = Map.ofEntries(
            entry("door", List.of("view", "session")),
            entry(
                    "view",
                    List.of(
                            "client",
                            "several",
                            "acquire",
                            "latch",
                            "hold",
                            "topology",
                            "node",
                            "session",
                            "report",
                            "kind",
                            "redis")),
            entry(
                    "client",
                    List.of(
                            "acquire",
                            "latch",
                            "wait",
                            "hold",
                            "topology",
                            "node",
                            "session",
                            "report",
                            "kind",
                            "redis")),
            entry("several", List.of("acquire", "hold", "node", "session", "report", "kind", "redis", "jfr")),
            entry("acquire", List.of("wait", "hold", "node", "session", "report", "kind", "redis", "jfr")),
            entry("latch", List.of("wait", "node", "session", "kind", "redis", "jfr")),
            entry("wait", List.of("hold", "node", "session", "report", "kind", "redis")),
            entry("hold", List.of("failover", "node", "session", "report", "kind", "redis", "jfr")),
            entry("failover", List.of("node", "session", "kind", "redis")),
            entry("topology", List.of("node", "session", "kind", "driver", "redis")),
            entry("node", List.of("session", "report", "kind", "redis")),
            entry("session", List.of("report", "kind", "redis")),
            entry("report", List.of("kind", "jfr")),
            entry("kind", List.of("redis")),
            entry("driver", List.of("redis")),
            entry("redis", List.of()),
            entry("jfr", List.of()),
            entry("api", List.of()));

    /** Among more types a newcomer finds none. */
    private static final int MOST_TYPES = 32;

    @ArchTest
    static void rooms_dependDownwards(JavaClasses shipped) {
        Map<String, Set<String>> found = new HashMap<>();
        for (JavaClass type : shipped) {
            String room = roomOf(type);
            Set<String> below = found.computeIfAbsent(room, none -> new TreeSet<>());
            type.getDirectDependenciesFromSelf().stream()
                    .map(dependency -> roomOf(dependency.getTargetClass()))
                    .filter(other -> ROOMS.containsKey(other) && !other.equals(room) && !other.equals("api"))
                    .forEach(below::add);
        }
        assertSoftly(softly -> ROOMS.forEach((room, below) ->
                softly.assertThat(found.get(room)).as(room).containsExactlyInAnyOrderElementsOf(below)));
    }

    @ArchTest
    static void rooms_areNotCrowded(JavaClasses shipped) {
        Map<String, Long> types = shipped.stream()
                .filter(type -> type.isTopLevelClass() && type.getPackageName().startsWith("dev.holdfast.internal."))
                .filter(type -> !type.getSimpleName().equals("package-info"))
                .collect(groupingBy(JavaClass::getPackageName, counting()));
        assertThat(types).allSatisfy((room, count) -> assertThat(count).as(room).isLessThanOrEqualTo(MOST_TYPES));
    }

    private static String roomOf(JavaClass type) {
        return belongToAnyOf(DOOR).test(type)
                ? "door"
                : type.getPackageName().equals(CORE)
                        ? "api"
                        : type.getPackageName().replace("dev.holdfast.internal.", "");
    }

    /** The connection layer depends on no lock type, public ones included. */
    @ArchTest
    static final ArchRule redis_dependsOnNoLock = noClasses()
            .that(room("redis").or(room("driver")))
            .should()
            .dependOnClassesThat()
            .resideInAPackage(CORE);

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
            .and(not(room("driver")))
            .and(not(belongToAnyOf(
                    Connections.class, HoldfastBuilder.class, Settings.class, ServerUris.class, RedisErrors.class)))
            .and()
            .haveNameNotMatching(
                    "dev\\.holdfast\\.internal\\.topology\\."
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
