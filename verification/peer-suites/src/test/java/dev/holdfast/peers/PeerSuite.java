package dev.holdfast.peers;

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

    static final List<PeerSuite> ALL = List.of(CURATOR, CURATOR_READ_WRITE, HAZELCAST, HAZELCAST_LATCH);

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
