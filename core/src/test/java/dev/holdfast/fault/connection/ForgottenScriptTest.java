package dev.holdfast.fault.connection;

import static dev.holdfast.FaultyRedis.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.DistributedLock;
import dev.holdfast.FaultyRedis;
import dev.holdfast.Holdfast;
import dev.holdfast.Lease;
import dev.holdfast.LeaseLostException;
import dev.holdfast.LossReason;
import dev.holdfast.TurnedClock;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The server has forgotten the scripts, or refuses to load them in advance: no call fails. */
@Tag("fault")
@SuppressWarnings("LockNotBeforeTry") // the test is about the locking; no work is done under it
class ForgottenScriptTest {
    private static final String NAME = "orders:42";

    @RegisterExtension
    final FaultyRedis faulty = new FaultyRedis();

    /** Each call sends its script in full when the server does not know it, and the hold counts are right. */
    @Test
    void flushed_everyCallWorks() {
        DistributedLock lock = faulty.client().getLock(NAME);
        // A reply implies that the scripts have been loaded, because commands run in order.
        assertThat(lock.isLocked()).isFalse();

        flush();
        lock.lock();
        flush();
        lock.lock();
        flush();
        assertThat(lock.inspect().holdCount()).isEqualTo(2);
        flush();
        lock.unlock();
        flush();
        lock.unlock();
        flush();
        assertThat(lock.forceUnlock()).isFalse();

        // The inspection is two.
        assertThat(faulty.proxy().commands("EVAL")).isEqualTo(7);
    }

    /** So does a renewal. */
    @Test
    void flushed_renewalWorks() {
        TurnedClock clock = new TurnedClock();
        Holdfast client = faulty.client(builder -> clock.turns(builder).watchdogTimeout(TurnedClock.WATCHDOG));
        DistributedLock lock = client.getLock(NAME);
        lock.lock();

        flush();
        clock.renew(client, 2);

        assertThat(faulty.proxy().commands("EVAL")).isEqualTo(1);
        lock.unlock();
    }

    /** So does a verification after a reconnect. */
    @Test
    void flushed_verificationWorks() {
        Holdfast client = faulty.client();
        Lease lease = client.getLock(NAME).acquire(FaultyRedis.LONG);
        faulty.server().command("DEL", NAME);
        faulty.proxy().refuse();
        faulty.proxy().cutFin();
        eventually(() -> !client.isConnected());
        flush();
        // The scripts are not loaded again either, since loading is refused now.
        faulty.server().command("ACL", "SETUSER", "default", "-script");
        faulty.proxy().accept();

        eventually(() -> !lease.isValid());

        eventually(() -> faulty.events().lost().equals(List.of(LossReason.GONE)));
        assertThatThrownBy(lease::close).isInstanceOf(LeaseLostException.class);
    }

    /** For a user that may not load scripts, each script is sent in full once. */
    @Test
    void loadRefused_sendsInFullOnce() {
        Holdfast client = faulty.client(builder -> builder.redisUri(faulty.user("~*", "&*", "+@all", "-script")));
        flush();
        DistributedLock lock = client.getLock(NAME);
        for (int i = 0; i < 3; i++) {
            lock.lock();
            lock.unlock();
        }

        assertThat(faulty.proxy().commands("EVAL")).isEqualTo(2);
    }

    private void flush() {
        faulty.server().command("SCRIPT", "FLUSH");
    }
}
