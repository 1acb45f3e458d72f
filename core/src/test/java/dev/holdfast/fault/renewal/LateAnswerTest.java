package dev.holdfast.fault.renewal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.holdfast.DistributedLock;
import dev.holdfast.FaultyRedis;
import dev.holdfast.Holdfast;
import dev.holdfast.Inside;
import dev.holdfast.Lease;
import dev.holdfast.LeaseLoss;
import dev.holdfast.LeaseLostException;
import dev.holdfast.LockException;
import dev.holdfast.LockKinds;
import dev.holdfast.LossReason;
import dev.holdfast.OwnedLock;
import dev.holdfast.Patience;
import dev.holdfast.RealTime;
import dev.holdfast.testkit.Direction;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Redis confirms a command after the lease has ended: the hold is lost by then, and stays lost. */
@Tag("fault")
@Tag("slow")
@ParameterizedClass
@EnumSource(LockKinds.class)
class LateAnswerTest {
    private static final String NAME = "orders:42";
    private static final Duration SHORT = Duration.ofMillis(500);

    @RegisterExtension
    final FaultyRedis faulty = new FaultyRedis();

    private final DistributedLock lock;

    LateAnswerTest(LockKinds kind) {
        lock = kind.lock(faulty.client(builder -> builder.commandTimeout(FaultyRedis.TIMEOUT)), NAME);
    }

    /** A late extension is of no use, and its effect on the key is undone with the hold. */
    @RealTime
    void extend() {
        Lease lease = lock.acquire(SHORT);
        faulty.proxy().blackHole(Direction.REPLIES);
        CompletableFuture<Void> extended = FaultyRedis.elsewhere(() -> {
            lease.extend(FaultyRedis.LONG);
            return null;
        });
        LeaseLoss loss = Patience.get(lease.lost().toCompletableFuture());

        faulty.proxy().heal();

        assertThatExceptionOfType(LeaseLostException.class)
                .isThrownBy(() -> FaultyRedis.get(extended))
                .satisfies(e -> assertThat(e.loss()).isEqualTo(loss));
        assertThat(lease.isValid()).isFalse();
        assertThatExceptionOfType(LeaseLostException.class).isThrownBy(lease::close);
        FaultyRedis.eventually(() -> faulty.keys().isEmpty());
    }

    /** An extension that was never answered may have extended the key: it is undone on the next connection. */
    @RealTime
    void extend_unanswered() {
        Lease lease = lock.acquire(SHORT);
        faulty.proxy().refuse();
        faulty.proxy().cutInsteadOfReplyTo(NAME);
        CompletableFuture<Void> extended = FaultyRedis.elsewhere(() -> {
            lease.extend(FaultyRedis.LONG);
            return null;
        });
        LeaseLoss loss = Patience.get(lease.lost().toCompletableFuture());
        assertThat(loss.reason()).isEqualTo(LossReason.EXPIRED);
        assertThat(faulty.keys()).containsExactly(NAME);

        faulty.proxy().accept();

        assertThatExceptionOfType(LeaseLostException.class).isThrownBy(() -> FaultyRedis.get(extended));
        FaultyRedis.eventually(() -> faulty.keys().isEmpty());
    }

    /** The same if the connection is given up only after the loss. */
    @RealTime
    void extend_unansweredAfterTheLoss() {
        Holdfast hurried = faulty.client(builder -> builder.commandTimeout(SHORT.multipliedBy(3)));
        Lease lease = hurried.getLock(NAME).acquire(SHORT);
        faulty.proxy().blackHole(Direction.REPLIES);
        CompletableFuture<Void> extended = FaultyRedis.elsewhere(() -> {
            lease.extend(FaultyRedis.LONG);
            return null;
        });
        LeaseLoss loss = Patience.get(lease.lost().toCompletableFuture());
        assertThat(loss.reason()).isEqualTo(LossReason.EXPIRED);

        assertThatExceptionOfType(LockException.class).isThrownBy(() -> FaultyRedis.get(extended));
        assertThatExceptionOfType(LeaseLostException.class).isThrownBy(lease::close);
        assertThat(faulty.keys()).containsExactly(NAME);
        faulty.proxy().heal();

        FaultyRedis.eventually(() -> faulty.keys().isEmpty());
    }

    /**
     * A renewal without a reply does not keep the key without an owner: it is undone on the next connection, also if
     * other holds were lost before it.
     */
    @RealTime
    void renewal() {
        Holdfast client = faulty.client(FaultyRedis.SHORT);
        OwnedLock owned = client.getLock(NAME + " of others").ownedBy(7);
        Patience.get(owned.lockAsync());
        OwnedLock another = client.getLock(NAME + " of more").ownedBy(8);
        Patience.get(another.lockAsync());
        OwnedLock third = client.getLock(NAME + " of still more").ownedBy(9);
        Patience.get(third.lockAsync());
        Lease lease = client.getLock(NAME).acquire();
        faulty.proxy().blackHole(Direction.REPLIES);
        LeaseLoss loss = Patience.get(lease.lost().toCompletableFuture());
        assertThat(loss.reason()).isEqualTo(LossReason.UNREACHABLE);
        assertThat(faulty.server().command("PEXPIRE", NAME, "60000")).isEqualTo(1L);

        faulty.proxy().heal();

        FaultyRedis.eventually(() -> !faulty.keys().contains(NAME));
        assertThatExceptionOfType(LeaseLostException.class).isThrownBy(lease::close);
        for (OwnedLock lost : List.of(owned, another, third)) {
            assertThatExceptionOfType(LeaseLostException.class).isThrownBy(() -> FaultyRedis.get(lost.unlockAsync()));
        }
    }

    /** Nor does a renewal of a hold that is no longer renewed because it reached {@code maxHold}. */
    @RealTime
    void renewal_afterMaxHold() {
        Holdfast client = faulty.client(
                builder -> builder.watchdogTimeout(FaultyRedis.SHORT).maxHold(FaultyRedis.SHORT));
        boolean unanswered = false;
        for (int i = 0; i < 5 && !unanswered; i++) {
            Lease lease = client.getLock(NAME).acquire();
            long renewals = client.stats().renewals();
            FaultyRedis.eventually(() -> client.stats().renewals() > renewals);
            faulty.proxy().blackHole(Direction.REPLIES);
            long commands = faulty.proxy().commands("EVALSHA");
            LeaseLoss loss = Patience.get(lease.lost().toCompletableFuture());
            assertThat(loss.reason()).isEqualTo(LossReason.EXPIRED);
            // A machine that pauses may leave no time for a renewal without a reply; then once more.
            unanswered = faulty.proxy().commands("EVALSHA") > commands;
            if (unanswered) {
                assertThat(faulty.server().command("PEXPIRE", NAME, "60000")).isEqualTo(1L);
            }

            faulty.proxy().heal();

            FaultyRedis.eventually(() -> faulty.keys().isEmpty());
            assertThatExceptionOfType(LeaseLostException.class).isThrownBy(lease::close);
        }
        assertThat(unanswered).as("a renewal has no reply").isTrue();
    }

    /** A re-entry that is sent again does not become the first acquire of a lock that was lost meanwhile. */
    @RealTime
    void reenter_unanswered() {
        OwnedLock owned = lock.ownedBy(7);
        Patience.get(owned.lockAsync(SHORT));
        faulty.proxy().refuse();
        faulty.proxy().cutInsteadOfReplyTo(NAME);
        CompletableFuture<?> again = owned.lockAsync(FaultyRedis.LONG);
        FaultyRedis.eventually(() -> !faulty.events().lost().isEmpty());

        faulty.proxy().accept();

        assertThatExceptionOfType(LeaseLostException.class).isThrownBy(() -> FaultyRedis.get(again));
        assertThat(owned.isHeld()).isFalse();
        assertThatExceptionOfType(LeaseLostException.class).isThrownBy(() -> FaultyRedis.get(owned.unlockAsync()));
        FaultyRedis.eventually(() -> faulty.keys().isEmpty());
    }

    /** Nor if the caller waits for longer than the command timeout, and the command is retried. */
    @RealTime
    void reenter_unansweredForLong() {
        Holdfast hurried = faulty.client();
        OwnedLock owned = hurried.getLock(NAME).ownedBy(7);
        Patience.get(owned.lockAsync(SHORT));
        faulty.proxy().refuse();
        faulty.proxy().cutInsteadOfReplyTo(NAME);
        CompletableFuture<Boolean> again = owned.tryLockAsync(FaultyRedis.LONG, FaultyRedis.LONG);
        FaultyRedis.eventually(() -> !faulty.events().lost().isEmpty());
        assertThatExceptionOfType(LockException.class)
                .isThrownBy(() -> hurried.getLock("another").isLocked());

        faulty.proxy().accept();

        assertThatExceptionOfType(LeaseLostException.class).isThrownBy(() -> FaultyRedis.get(again));
        assertThatExceptionOfType(LeaseLostException.class).isThrownBy(() -> FaultyRedis.get(owned.unlockAsync()));
        FaultyRedis.eventually(() -> faulty.keys().isEmpty());
    }

    /**
     * A hold whose extension was answered, and that expired, is not released by the client: an owner that overruns its
     * lease keeps the key until it expires.
     */
    @RealTime
    void extend_answered() {
        Holdfast client = faulty.client();
        Lease lease = client.getLock(NAME).acquire(SHORT);
        lease.extend(SHORT.multipliedBy(2));
        assertThat(faulty.server().command("PEXPIRE", NAME, "60000")).isEqualTo(1L);

        assertThat(Patience.get(lease.lost().toCompletableFuture()).reason()).isEqualTo(LossReason.EXPIRED);
        FaultyRedis.eventually(() -> !Inside.residue(client).contains("lanes")); // a close before that would release it

        assertThatExceptionOfType(LeaseLostException.class).isThrownBy(lease::close);
        assertThat(client.getLock(NAME).forceUnlock()).isTrue();
    }

    /** A late re-entry finds no hold to enter. */
    @RealTime
    void reenter() {
        OwnedLock owned = lock.ownedBy(7);
        Patience.get(owned.lockAsync(SHORT));
        faulty.proxy().blackHole(Direction.REPLIES);
        CompletableFuture<?> again = owned.lockAsync(FaultyRedis.LONG);
        FaultyRedis.eventually(() -> !faulty.events().lost().isEmpty());

        faulty.proxy().heal();

        assertThatExceptionOfType(LeaseLostException.class).isThrownBy(() -> FaultyRedis.get(again));
        FaultyRedis.eventually(() -> faulty.keys().isEmpty());
        assertThat(owned.isHeld()).isFalse();
        assertThatExceptionOfType(LeaseLostException.class).isThrownBy(() -> FaultyRedis.get(owned.unlockAsync()));
    }
}
