package dev.holdfast.peers;

import static java.util.Map.entry;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * The tests of another project that a suite inherits.
 *
 * @param project the name of the project
 * @param testClass the class that declares the tests
 * @param skipped the names of those that are skipped, in alphabetical order, and the reason of each
 */
record PeerSuite(String project, String testClass, NavigableMap<String, String> skipped) {
    private static final String SESSION = "opens or closes a session of a Raft group";
    private static final String STORED_LIMIT = "changes the stored number of permits; here each request names it";
    private static final String NO_PERMITS = "sets a number of permits of zero, which is refused here";
    private static final String NO_HANDLE =
            "releases what was not acquired; here a release needs the handle of what was";
    private static final String PART = "releases a part of what was acquired together, which is one hold here";

    static final PeerSuite CURATOR = new PeerSuite(
            "Curator",
            "org.apache.curator.framework.recipes.locks.TestInterProcessMutexBase",
            new TreeMap<>(Map.of(
                    "testContainerCleanup",
                    "asserts that ZooKeeper removes its node of the lock: passes with any lock",
                    "testKilledSession",
                    "kills the client's session in ZooKeeper, which holds no lock here",
                    "testWaitingProcessKilledServer",
                    "restarts the ZooKeeper server, which has no lock here: passes with any lock")));

    static final PeerSuite CURATOR_READ_WRITE = new PeerSuite(
            "Curator's read-write lock",
            "org.apache.curator.framework.recipes.locks.TestInterProcessReadWriteLock",
            new TreeMap<>(Map.of(
                    "testGetParticipantNodes",
                    "counts the nodes of those that wait in ZooKeeper",
                    "testLockPath",
                    "asks for the node of the lock in ZooKeeper",
                    "testSetNodeData",
                    "reads what a holder has written into its node in ZooKeeper")));

    static final PeerSuite CURATOR_SEMAPHORE = new PeerSuite(
            "Curator's semaphore",
            "org.apache.curator.framework.recipes.locks.TestInterProcessSemaphore",
            new TreeMap<>(Map.of(
                    "testAcquireAfterLostServer",
                    "restarts the ZooKeeper server, which has no permits here: passes with any semaphore",
                    "testClientClose",
                    "closes the client's session in ZooKeeper, which holds no permits here",
                    "testGetParticipantNodes",
                    "counts the nodes of permits in ZooKeeper",
                    "testInterruptAcquire",
                    "counts the nodes of permits in ZooKeeper",
                    "testNoOrphanedNodes",
                    "deletes the node of a caller that waits in ZooKeeper",
                    "testThreadedLeaseIncrease",
                    "raises the number of permits for callers that wait already; here each request names it")));

    static final PeerSuite HAZELCAST = new PeerSuite(
            "Hazelcast",
            "com.hazelcast.cp.internal.datastructures.lock.AbstractFencedLockBasicTest",
            new TreeMap<>(Map.of(
                    "testFailedTryLock_doesNotAcquireSession",
                    SESSION,
                    "testGetFenceFails_whenNewSessionCreated",
                    SESSION,
                    "testReentrantLockFails_whenSessionClosed",
                    SESSION,
                    "testReentrantTryLockFails_whenSessionClosed",
                    SESSION,
                    "testReentrantTryLockWithTimeoutFails_whenSessionClosed",
                    SESSION,
                    "testUnlockFails_whenNewSessionCreated",
                    SESSION,
                    "testUnlockFails_whenSessionClosed",
                    SESSION,
                    "testUnlock_whenPendingLockOfOtherThread",
                    "looks for the waiter in the registry of a Raft group",
                    "test_destroy",
                    "destroys the lock for all its users, which Holdfast has no operation for")));

    static final PeerSuite HAZELCAST_LATCH = new PeerSuite(
            "Hazelcast's count-down latch",
            "com.hazelcast.cp.internal.datastructures.countdownlatch.AbstractCountDownLatchBasicTest",
            new TreeMap<>(Map.of(
                    "testCountDown_afterDestroy",
                    "a destroyed latch refuses to be counted down; one that is deleted here can be set again",
                    "testCreateProxyOnMetadataCPGroup",
                    "names a Raft group")));

    static final PeerSuite HAZELCAST_SEMAPHORE = new PeerSuite(
            "Hazelcast's semaphore",
            "com.hazelcast.cp.internal.datastructures.semaphore.AbstractSessionAwareSemaphoreBasicTest",
            new TreeMap<>(Map.ofEntries(
                    entry("testAcquire_whenNoPermits", NO_PERMITS),
                    entry("testAcquire_whenNoPermits_andSemaphoreDestroyed", NO_PERMITS),
                    entry("testAllowNegativePermits", STORED_LIMIT),
                    entry("testCreateProxyOnMetadataCPGroup", "names a Raft group"),
                    entry("testDrain_whenNoPermits", NO_PERMITS),
                    entry("testIncreasePermits", STORED_LIMIT),
                    entry("testIncrease_whenArgumentNegative", STORED_LIMIT),
                    entry("testInitFails_whenAlreadyInitialized", STORED_LIMIT),
                    entry("testInitNotifiesWaitingAcquires", STORED_LIMIT),
                    entry(
                            "testMultipleAcquire_whenNotEnoughPermits",
                            "waits for more permits than there are, which is refused at once here"),
                    entry("testMultipleRelease", PART),
                    entry("testMultipleRelease_whenBlockedAcquireThreads", PART),
                    entry("testMultipleRelease_whenNegative", NO_PERMITS),
                    entry("testNegativePermitsJucCompatibility", STORED_LIMIT),
                    entry("testNoDuplicateRelease_whenSessionExpires", SESSION),
                    entry("testReduce", STORED_LIMIT),
                    entry("testReduce_whenArgumentNegative", STORED_LIMIT),
                    entry("testRelease_whenArgumentNegative", NO_HANDLE),
                    entry("testRelease_whenNoSessionCreated", NO_HANDLE),
                    entry("testRelease_whenNotAcquired", NO_HANDLE),
                    entry("testTryAcquireMultiple_whenArgumentNegative", NO_PERMITS),
                    entry(
                            "test_destroy",
                            "destroys the semaphore for all its users, which Holdfast has no operation for"))));

    static final List<PeerSuite> ALL =
            List.of(CURATOR, CURATOR_READ_WRITE, CURATOR_SEMAPHORE, HAZELCAST, HAZELCAST_LATCH, HAZELCAST_SEMAPHORE);

    private static final Set<String> TEST_ANNOTATIONS = Set.of("org.junit.Test", "org.junit.jupiter.api.Test");

    /** {@return why a test is skipped; empty if it runs, or is none of another project} */
    static Optional<String> reasonToSkip(Method test) {
        return ALL.stream()
                .filter(suite -> suite.testClass.equals(test.getDeclaringClass().getName()))
                .findFirst()
                .map(suite -> suite.skipped.get(test.getName()));
    }

    /** {@return the names of the tests that the other project has published} */
    Set<String> tests() throws ClassNotFoundException {
        return Arrays.stream(Class.forName(testClass).getDeclaredMethods())
                .filter(PeerSuite::isTest)
                .map(Method::getName)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static boolean isTest(Method method) {
        return Arrays.stream(method.getAnnotations())
                .anyMatch(annotation ->
                        TEST_ANNOTATIONS.contains(annotation.annotationType().getName()));
    }
}
