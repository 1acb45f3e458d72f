package dev.holdfast.fault.release;

import static dev.holdfast.FaultyRedis.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.CapturedWarnings;
import dev.holdfast.DistributedLock;
import dev.holdfast.FaultyRedis;
import dev.holdfast.Holdfast;
import dev.holdfast.Inside;
import dev.holdfast.LockException;
import dev.holdfast.ReleaseUnconfirmedException;
import dev.holdfast.internal.hold.OrphanRelease;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Redis refuses a release: it is retried until it succeeds, or the lease has ended. */
@Tag("fault")
@Tag("slow")
@SuppressWarnings("LockNotBeforeTry") // the test is about the locking; no work is done under it
class RefusedReleaseTest {
    private static final String NAME = "orders:42";

    /** More command timeouts than fit into a watched lease of the default settings. */
    private static final int MANY = 20;

    @RegisterExtension
    final FaultyRedis faulty = new FaultyRedis();

    private final Holdfast client = faulty.client(
            builder -> builder.redisUri(faulty.user("~*", "&*", "+@all")).commandTimeout(FaultyRedis.COMMAND_TIMEOUT));
    private final DistributedLock lock = client.getLock(NAME);

    /** The release is retried as long as the lease keeps other owners out; the refusal is logged once. */
    @Test
    void refused_isTriedAsLongAsTheLeaseLasts() {
        lock.lock(Duration.ofMinutes(10));
        List<String> warnings;
        try (CapturedWarnings captured = new CapturedWarnings()) {
            grant("-evalsha");
            assertThatThrownBy(lock::unlock)
                    .isInstanceOf(ReleaseUnconfirmedException.class)
                    .hasMessageContainingAll(NAME, "+evalsha");
            awaitTries(MANY);
            warnings = captured.of(OrphanRelease.class);
        }
        assertThat(faulty.keys()).containsExactly(NAME);

        grant("+evalsha");

        eventually(() -> faulty.keys().isEmpty());
        assertThat(warnings).singleElement().asString().contains(NAME, "not released yet", "NOPERM");
    }

    /** A connection that is lost meanwhile does not end the retries. */
    @Test
    void refused_isTriedOnTheNextConnection() {
        lock.lock(Duration.ofMinutes(10));
        grant("-evalsha");
        assertThatThrownBy(lock::unlock).isInstanceOf(LockException.class);
        for (int i = 0; i < 3; i++) {
            faulty.proxy().cutRst();
            eventually(client::isConnected);
            awaitTries(3);
        }

        grant("+evalsha");

        eventually(() -> faulty.keys().isEmpty());
    }

    /**
     * When the lease has ended there is nothing left to release: that is logged once, and there are no more retries.
     */
    @Test
    void refused_endsWithTheLease() {
        Duration lease = Duration.ofMillis(1500);
        lock.lock(lease);
        List<String> warnings;
        try (CapturedWarnings captured = new CapturedWarnings()) {
            grant("-evalsha");
            assertThatThrownBy(lock::unlock).isInstanceOf(LockException.class);
            eventually(() -> Inside.residue(client).isEmpty());
            warnings = captured.of(OrphanRelease.class);
        }
        assertThat(faulty.keys()).isEmpty();
        assertThat(warnings).hasSize(2);
        assertThat(warnings.get(1)).contains(NAME, "lease has run out", "NOPERM");
        grant("+evalsha");
    }

    /** The release of an acquire with an unknown outcome is retried for as long as the lease that it requested. */
    @Test
    void unknownAcquire_isReleasedLater() {
        lock.lock();
        lock.unlock();
        faulty.proxy().cutInsteadOfReplyTo(NAME);
        AtomicBoolean refused = new AtomicBoolean();
        Thread caller = new Thread(() -> {
            try {
                lock.lockInterruptibly();
            } catch (InterruptedException | LockException e) {
                refused.set(true);
            }
        });
        faulty.proxy().refuse();
        caller.start();
        eventually(() -> faulty.keys().contains(NAME));
        eventually(refused::get);
        grant("-evalsha");
        faulty.proxy().accept();
        eventually(client::isConnected);
        awaitTries(MANY);

        grant("+evalsha");

        eventually(() -> faulty.keys().isEmpty());
    }

    private void awaitTries(int number) {
        long before = faulty.proxy().commands("EVALSHA");
        eventually(() -> faulty.proxy().commands("EVALSHA") >= before + number);
    }

    private void grant(String right) {
        faulty.server().command("ACL", "SETUSER", "app", right);
    }
}
