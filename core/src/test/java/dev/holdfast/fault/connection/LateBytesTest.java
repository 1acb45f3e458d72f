package dev.holdfast.fault.connection;

import static dev.holdfast.FaultyRedis.LONG;
import static dev.holdfast.FaultyRedis.elsewhere;
import static dev.holdfast.FaultyRedis.eventually;
import static dev.holdfast.FaultyRedis.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.DistributedLock;
import dev.holdfast.FaultyRedis;
import dev.holdfast.Holdfast;
import dev.holdfast.HoldfastBuilder;
import dev.holdfast.Inside;
import dev.holdfast.Lease;
import dev.holdfast.LockException;
import dev.holdfast.testkit.Direction;
import dev.holdfast.testkit.ProxiedConnection;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The network delays the bytes of a connection until after those of the next connection. */
@Tag("fault")
@Tag("driver")
@SuppressWarnings("LockNotBeforeTry") // the test is about the locking; no work is done under it
class LateBytesTest {
    private static final String NAME = "orders:42";

    /** Redis is silent for longer, and a busy machine is not slower. */
    private static final Duration NO_ANSWER = Duration.ofSeconds(1);

    private static final Pattern EVALUATIONS = Pattern.compile("cmdstat_evalsha:calls=(\\d+)");

    @RegisterExtension
    final FaultyRedis faulty = new FaultyRedis();

    private @Nullable Holdfast client;

    /** A connection is killed by its successor: a late acquire on it is not executed any more. */
    @Test
    void acquire_late_neverRuns() {
        DistributedLock lock = killing().getLock(NAME);
        ProxiedConnection old = faulty.commandConnection();
        old.holdRequests();
        assertThatThrownBy(lock::lock).isInstanceOf(LockException.class);
        awaitReconnected(old);
        awaitKilled();

        old.releaseRequests();

        assertThat(lock.isLocked()).isFalse();
    }

    /**
     * A connection can be killed by its successor from its first command for a lock on: by then, its id has been queried
     * twice.
     */
    @Test
    void acquire_late_onNewConnection_neverRuns() {
        faulty.proxy().delay(Direction.REQUESTS, Duration.ofMillis(20));
        DistributedLock lock = killing().getLock(NAME);
        ProxiedConnection old = faulty.commandConnection();
        assertThat(lock.isLocked()).isFalse();
        old.drop(Direction.REPLIES);
        old.holdRequests();
        faulty.proxy().delay(Direction.REQUESTS, Duration.ZERO);
        assertThatThrownBy(lock::lock).isInstanceOf(LockException.class);
        awaitReconnected(old);

        awaitKilled();
    }

    /** A late release is not executed either: it does not free the lock that the same thread has acquired again. */
    @Test
    void release_late_neverRuns() {
        DistributedLock lock = killing().getLock(NAME);
        lock.lock();
        ProxiedConnection old = faulty.commandConnection();
        old.holdRequests();
        assertThatThrownBy(lock::unlock).isInstanceOf(LockException.class);
        awaitReconnected(old);
        lock.lock();
        awaitKilled();
        Object hold = hold();

        old.releaseRequests();

        assertThat(lock.isLocked()).isTrue();
        assertThat(hold()).isEqualTo(hold);
        lock.unlock();
    }

    /** Without the right to run CLIENT KILL, a late acquire finds the newer hold of its thread, and leaves it alone. */
    @Test
    void acquire_late_unkilled_leavesTheNewerHold() {
        DistributedLock lock = unkilled().getLock(NAME);
        ProxiedConnection old = faulty.commandConnection();
        old.holdRequests();
        assertThatThrownBy(lock::lock).isInstanceOf(LockException.class);
        awaitReconnected(old);
        lock.lock();
        Object hold = hold();

        releaseToTheEnd(old);

        assertThat(hold()).isEqualTo(hold);
        lock.unlock();
        assertThat(lock.isLocked()).isFalse();
    }

    /** Nor does a late release of an older hold end the newer one. */
    @Test
    void release_late_unkilled_leavesTheNewerHold() {
        DistributedLock lock = unkilled().getLock(NAME);
        lock.lock();
        ProxiedConnection old = faulty.commandConnection();
        old.holdRequests();
        assertThatThrownBy(lock::unlock).isInstanceOf(LockException.class);
        awaitReconnected(old);
        lock.lock();
        Object hold = hold();

        releaseToTheEnd(old);

        assertThat(hold()).isEqualTo(hold);
        lock.unlock();
        assertThat(lock.isLocked()).isFalse();
    }

    /** Nor does a late re-entry add a level to its hold, or create one that has gone. */
    @Test
    void reentry_late_unkilled_makesNoHold() {
        DistributedLock lock = unkilled().getLock(NAME);
        lock.lock();
        ProxiedConnection old = faulty.commandConnection();
        old.holdRequests();
        assertThatThrownBy(lock::lock).isInstanceOf(LockException.class);
        awaitReconnected(old);
        lock.unlock();

        releaseToTheEnd(old);

        assertThat(lock.isLocked()).isFalse();
    }

    /** Nor does any late command affect another owner. */
    @Test
    void acquire_late_unkilled_leavesAnotherOwner() {
        DistributedLock lock = unkilled().getLock(NAME);
        ProxiedConnection old = faulty.commandConnection();
        old.holdRequests();
        assertThatThrownBy(lock::lock).isInstanceOf(LockException.class);
        awaitReconnected(old);
        eventually(() -> Inside.residue(client()).isEmpty());
        Lease others = faulty.bystander().getLock(NAME).acquire();
        Object hold = hold();

        releaseToTheEnd(old);

        assertThat(hold()).isEqualTo(hold);
        others.close();
    }

    /**
     * A waiter whose attempt was lost with its connection does not hold the lock twice when the attempt arrives late.
     */
    @Test
    void waiter_late_unkilled_holdsOnce() {
        DistributedLock lock = unkilled().getLock(NAME);
        ProxiedConnection old = faulty.commandConnection();
        old.holdRequests();
        CompletableFuture<Boolean> once = elsewhere(() -> {
            boolean acquired = lock.tryLock(LONG);
            releaseToTheEnd(old);
            assertThat(lock.inspect().holdCount()).isEqualTo(1);
            lock.unlock();
            return acquired;
        });

        assertThat(get(once)).isTrue();

        assertThat(lock.isLocked()).isFalse();
    }

    private Holdfast killing() {
        return client(builder -> builder);
    }

    /** {@return a client whose user has all rights that locks need, but may not kill connections} */
    private Holdfast unkilled() {
        return client(builder -> builder.redisUri(faulty.user("~*", "&*", "+@all", "-client", "+client|info")));
    }

    private Holdfast client(UnaryOperator<HoldfastBuilder> settings) {
        Holdfast made = faulty.client(
                builder -> settings.apply(builder).commandTimeout(NO_ANSWER).failoverTimeout(NO_ANSWER));
        client = made;
        return made;
    }

    private Holdfast client() {
        return Objects.requireNonNull(client);
    }

    private void awaitReconnected(ProxiedConnection old) {
        eventually(() -> faulty.commandConnection() != old && client().isConnected());
    }

    /** Delivers the late bytes, and waits until the server has executed the commands in them. */
    private void releaseToTheEnd(ProxiedConnection old) {
        long before = evaluations();
        old.releaseRequests();
        eventually(() -> evaluations() > before);
    }

    /** Waits until the server has only the client's two current connections. */
    private void awaitKilled() {
        eventually(() -> faulty.server().clients().size() == 2);
    }

    /** {@return how many scripts the server has run by EVALSHA} */
    private long evaluations() {
        Matcher calls = EVALUATIONS.matcher(String.valueOf(faulty.server().command("INFO", "commandstats")));
        return calls.find() ? Long.parseLong(calls.group(1)) : 0;
    }

    private Object hold() {
        return Objects.requireNonNull(faulty.server().command("HGETALL", NAME));
    }
}
