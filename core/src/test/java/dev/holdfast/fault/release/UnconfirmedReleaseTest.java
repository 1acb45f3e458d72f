package dev.holdfast.fault.release;

import static dev.holdfast.FaultyRedis.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import dev.holdfast.CapturedWarnings;
import dev.holdfast.DistributedLock;
import dev.holdfast.FaultyRedis;
import dev.holdfast.Holdfast;
import dev.holdfast.Lease;
import dev.holdfast.LeaseLostException;
import dev.holdfast.LockException;
import dev.holdfast.MultiLock;
import dev.holdfast.ReleaseUnconfirmedException;
import dev.holdfast.internal.node.UnconfirmedReleases;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionException;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Work that was protected to its end is not reported as failed because its release is unconfirmed. */
@Tag("fault")
@SuppressWarnings("LockNotBeforeTry") // the test is about the locking; no work is done under it
final class UnconfirmedReleaseTest {
    private static final String NAME = "orders:42";

    @RegisterExtension
    final FaultyRedis faulty = new FaultyRedis();

    private final Holdfast client = faulty.hastyClient();
    private final DistributedLock lock = client.getLock(NAME);

    private static void assertUnconfirmed(ThrowingCallable release, String... names) {
        assertThatThrownBy(release)
                .asInstanceOf(type(ReleaseUnconfirmedException.class))
                .extracting(LockException::names)
                .isEqualTo(List.of(names));
    }

    /** A body whose release has no reply: its result is returned, and the release is counted and published. */
    @Test
    void callLocked_returnsTheResult() throws Exception {
        String result = lock.callLocked(() -> {
            faulty.proxy().blackHole();
            return "shipped";
        });

        assertThat(result).isEqualTo("shipped");
        assertThat(client.stats().releasesUnconfirmed()).isEqualTo(1);
        assertThat(client.stats().released()).isZero();
        eventually(() -> !faulty.events().unconfirmed().isEmpty());
        assertThat(faulty.events().unconfirmed()).singleElement().satisfies(event -> {
            assertThat(event.name()).isEqualTo(NAME);
            assertThat(event.error()).isInstanceOf(ReleaseUnconfirmedException.class);
        });
        assertThat(lock.isHeldByCurrentThread()).isFalse();
    }

    /** So it is for a body without a result. */
    @Test
    void runLocked_returns() {
        lock.runLocked(() -> faulty.proxy().blackHole());
        assertThat(client.stats().releasesUnconfirmed()).isEqualTo(1);
    }

    /** If the body throws, the failure of the release is suppressed. */
    @Test
    void runLocked_bodyThrows() {
        IllegalStateException ofBody = new IllegalStateException("out of stock");
        assertThatThrownBy(() -> lock.runLocked(() -> {
                    faulty.proxy().blackHole();
                    throw ofBody;
                }))
                .isSameAs(ofBody)
                .satisfies(e ->
                        assertThat(e.getSuppressed()).singleElement().isInstanceOf(ReleaseUnconfirmedException.class));
    }

    /** A body whose lease was lost has not been protected, whatever happens to Redis then. */
    @Test
    void runLocked_lost() {
        assertThatThrownBy(() -> lock.runLocked(() -> {
                    faulty.server().command("DEL", NAME);
                    faulty.proxy().cutRst();
                    eventually(() -> !faulty.events().lost().isEmpty());
                    faulty.proxy().blackHole();
                }))
                .isInstanceOf(LeaseLostException.class);
        assertThat(client.stats().releasesUnconfirmed()).isZero();
    }

    /** Every way to release says that only the release is unconfirmed. */
    @Test
    void release_everyWay() {
        lock.lock();
        Lease closed = client.getLock("closed").acquire();
        Lease released = client.getLock("released").acquire();
        DistributedLock async = client.getFencedLock("async");
        async.lock();
        faulty.proxy().blackHole();

        assertUnconfirmed(lock::unlock, NAME);
        assertUnconfirmed(closed::close, "closed");
        assertThatThrownBy(() -> released.releaseAsync().join())
                .isInstanceOf(CompletionException.class)
                .hasCauseInstanceOf(ReleaseUnconfirmedException.class);
        assertThatThrownBy(() -> async.unlockAsync().join())
                .isInstanceOf(CompletionException.class)
                .hasCauseInstanceOf(ReleaseUnconfirmedException.class);
        assertThat(client.stats().releasesUnconfirmed()).isEqualTo(4);
    }

    /** The release of an inner level ends no hold, so it is not counted. */
    @Test
    void release_innerLevel() {
        lock.lock();
        lock.lock();
        faulty.proxy().blackHole();

        assertUnconfirmed(lock::unlock, NAME);

        assertThat(lock.isHeldByCurrentThread()).isTrue();
        assertThat(client.stats().releasesUnconfirmed()).isZero();
        faulty.proxy().heal();
        eventually(client::isConnected);
        lock.unlock();
    }

    /** The exception of several locks names each whose release is unconfirmed. */
    @Test
    void multiLock_namesAll() {
        MultiLock both = Holdfast.multiLock(lock, client.getLock("stock"));
        both.lock();
        faulty.proxy().blackHole();

        assertUnconfirmed(both::unlock, NAME, "stock");

        assertThat(client.stats().releasesUnconfirmed()).isEqualTo(2);
    }

    /** A body under several locks whose releases have no reply has been protected by all of them. */
    @Test
    void multiLock_callLocked_returnsTheResult() throws Exception {
        MultiLock both = Holdfast.multiLock(lock, client.getLock("stock"));

        String result = both.callLocked(() -> {
            faulty.proxy().blackHole();
            return "shipped";
        });

        assertThat(result).isEqualTo("shipped");
        assertThat(client.stats().releasesUnconfirmed()).isEqualTo(2);
        assertThat(both.isHeldByCurrentThread()).isFalse();
    }

    /** If one of several locks is lost, that is thrown, and not the unconfirmed release of another one. */
    @Test
    void multiLock_lossComesFirst() {
        Holdfast other = faulty.bystander();
        MultiLock both = Holdfast.multiLock(lock, other.getLock("stock"));
        Lease lease = both.acquire();
        faulty.server().command("DEL", "stock");
        faulty.proxy().blackHole();

        assertThatThrownBy(lease::close)
                .isInstanceOf(LeaseLostException.class)
                .satisfies(e ->
                        assertThat(e.getSuppressed()).singleElement().isInstanceOf(ReleaseUnconfirmedException.class));
    }

    /** A call that fails names its lock, or the locks of which none was answered. */
    @Test
    void failure_namesTheLocks() {
        MultiLock both = Holdfast.multiLock(client.getLock("stock"), lock);
        Duration shorterThanATimeout = FaultyRedis.COMMAND_TIMEOUT.dividedBy(10);
        faulty.proxy().blackHole();

        assertThatThrownBy(lock::lock)
                .asInstanceOf(type(LockException.class))
                .extracting(LockException::names)
                .isEqualTo(List.of(NAME));
        assertThatThrownBy(() -> assertThat(both.tryLock(shorterThanATimeout)).isFalse())
                .asInstanceOf(type(LockException.class))
                .extracting(LockException::names)
                .isEqualTo(List.of(NAME, "stock"));
    }

    /** If another program has overwritten the key, nobody knows for how long the lock has protected its owner. */
    @Test
    void overwrittenKey_isThrown() {
        assertThatThrownBy(() -> lock.runLocked(() -> {
                    faulty.server().command("DEL", NAME);
                    faulty.server().command("SET", NAME, "1");
                }))
                .isExactlyInstanceOf(LockException.class)
                .hasMessageContaining("another program");
        assertThat(client.stats().releasesUnconfirmed()).isEqualTo(1);
        faulty.server().command("DEL", NAME);
    }

    /** The first release of an outage is logged, and the next one only after a release was confirmed. */
    @Test
    void outage_isLoggedOnce() {
        List<String> warnings;
        try (CapturedWarnings captured = new CapturedWarnings()) {
            outage();
            lock.runLocked(() -> {});
            outage();
            warnings = captured.of(UnconfirmedReleases.class);
        }
        assertThat(warnings).hasSize(2).allMatch(warning -> warning.contains(NAME));
        assertThat(client.stats().releasesUnconfirmed()).isEqualTo(6);
    }

    private void outage() {
        lock.lock();
        Lease second = client.getLock("second").acquire();
        Lease third = client.getLock("third").acquire();
        faulty.proxy().blackHole();
        assertUnconfirmed(lock::unlock, NAME);
        assertUnconfirmed(second::close, "second");
        assertUnconfirmed(third::close, "third");
        faulty.proxy().heal();
        eventually(() -> client.isConnected() && faulty.keys().isEmpty());
    }
}
