package dev.holdfast;

import static dev.holdfast.BadDay.LONG;
import static dev.holdfast.BadDay.elsewhere;
import static dev.holdfast.BadDay.eventually;
import static dev.holdfast.BadDay.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.testkit.ProxiedConnection;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The network keeps the bytes of a connection for so long that they come after those of the next connection. */
@SuppressWarnings("LockNotBeforeTry") // what is tested is the locking, and nothing is done under it
class LateBytesTest {
    private static final String NAME = "orders:42";

    @RegisterExtension
    final BadDay day = new BadDay();

    /** A connection is fenced off by the next one: an acquire of it that comes late is not executed any more. */
    @Test
    void acquire_late_isFencedOff() {
        DistributedLock lock = day.client().getLock(NAME);
        ProxiedConnection old = commandConnection();
        old.holdRequests();
        assertThatThrownBy(lock::lock).isInstanceOf(LockException.class);
        awaitReconnected(old);

        old.releaseRequests();

        assertThat(day.proxy().commands("CLIENT")).isPositive();
        assertThat(executedLate(lock)).isFalse();
    }

    /** So is a release: it does not free the lock that the same thread has taken anew. */
    @Test
    void release_late_isFencedOff() {
        DistributedLock lock = day.client().getLock(NAME);
        lock.lock();
        ProxiedConnection old = commandConnection();
        old.holdRequests();
        assertThatThrownBy(lock::unlock).isInstanceOf(LockException.class);
        awaitReconnected(old);
        lock.lock();

        old.releaseRequests();

        assertThat(executedLate(lock)).isTrue();
        lock.unlock();
    }

    /** Without the right to fence, a late acquire finds the newer hold of its thread, and does nothing to it. */
    @Test
    void acquire_late_unfenced_leavesTheNewerHold() {
        DistributedLock lock = unfenced().getLock(NAME);
        ProxiedConnection old = commandConnection();
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
    void release_late_unfenced_leavesTheNewerHold() {
        DistributedLock lock = unfenced().getLock(NAME);
        lock.lock();
        ProxiedConnection old = commandConnection();
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

    /** Nor does a late re-entry add a level to the hold it was meant for, or make one that has gone. */
    @Test
    void reentry_late_unfenced_makesNoHold() {
        DistributedLock lock = unfenced().getLock(NAME);
        lock.lock();
        ProxiedConnection old = commandConnection();
        old.holdRequests();
        assertThatThrownBy(lock::lock).isInstanceOf(LockException.class);
        awaitReconnected(old);
        lock.unlock();

        releaseToTheEnd(old);

        assertThat(lock.isLocked()).isFalse();
    }

    /** Nor does any of it concern another owner. */
    @Test
    void acquire_late_unfenced_leavesAnotherOwner() {
        DistributedLock lock = unfenced().getLock(NAME);
        ProxiedConnection old = commandConnection();
        old.holdRequests();
        assertThatThrownBy(lock::lock).isInstanceOf(LockException.class);
        awaitReconnected(old);
        Lease others = day.bystander().getLock(NAME).acquire();
        Object hold = hold();

        releaseToTheEnd(old);

        assertThat(hold()).isEqualTo(hold);
        others.close();
    }

    /** A waiter whose try was lost with its connection does not hold the lock twice when the try comes late. */
    @Test
    void waiter_late_unfenced_holdsOnce() {
        DistributedLock lock = unfenced().getLock(NAME);
        ProxiedConnection old = commandConnection();
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

    /** {@return a client whose user may do what locks need, but not end connections} */
    private Holdfast unfenced() {
        return day.client(builder -> builder.redisUri(day.user("~*", "&*", "+@all", "-client|kill")));
    }

    private ProxiedConnection commandConnection() {
        return day.proxy().connections().stream()
                .filter(connection -> connection.commands("SCRIPT") > 0)
                .findFirst()
                .orElseThrow();
    }

    private void awaitReconnected(ProxiedConnection old) {
        eventually(() -> !old.isOpen()
                && day.proxy().connections().stream().anyMatch(connection -> connection.commands("SCRIPT") > 0));
    }

    /** Lets the late bytes go, and waits until the server has executed what they say. */
    private void releaseToTheEnd(ProxiedConnection old) {
        long before = evaluations();
        old.releaseRequests();
        eventually(() -> evaluations() > before);
    }

    /** {@return how many scripts the server has run by their SHA} */
    private long evaluations() {
        String calls = day.server().info("cmdstat_evalsha").replaceAll("calls=(\\d+).*", "$1");
        return calls.isEmpty() ? 0 : Long.parseLong(calls);
    }

    private Object hold() {
        return java.util.Objects.requireNonNull(day.server().command("HGETALL", NAME));
    }

    private boolean executedLate(DistributedLock lock) {
        return lock.isLocked();
    }
}
