package dev.holdfast.fault.connection;

import static dev.holdfast.FaultyRedis.LONG;
import static dev.holdfast.FaultyRedis.SOON;
import static dev.holdfast.FaultyRedis.elsewhere;
import static dev.holdfast.FaultyRedis.eventually;
import static dev.holdfast.FaultyRedis.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import dev.holdfast.DistributedLock;
import dev.holdfast.FaultyRedis;
import dev.holdfast.Holdfast;
import dev.holdfast.Lease;
import dev.holdfast.LockException;
import dev.holdfast.OwnedLock;
import dev.holdfast.Refusing;
import dev.holdfast.ReleaseUnconfirmedException;
import dev.holdfast.fault.HandoffScene;
import dev.holdfast.testkit.Faults;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Redis reports that it does not execute commands at present: a caller waits for that to end as it does for a lost
 * connection, up to its wait for the lock, or up to the command timeout.
 */
@Tag("fault")
@Tag("slow")
@SuppressWarnings("LockNotBeforeTry") // the test is about the locking; no work is done under it
class NotExecutedTest {
    private static final String NAME = "orders:42";

    /** A wait longer than any test takes. */
    private static final Duration PATIENT = Duration.ofSeconds(40);

    @RegisterExtension
    final FaultyRedis faulty = new FaultyRedis();

    private final Holdfast client = faulty.hastyClient();
    private final DistributedLock lock = client.getLock(NAME);

    /** A free lock is acquired when Redis executes commands again, if that is within the caller's wait. */
    @ParameterizedTest
    @EnumSource
    void tryLock_waits(Refusing state) {
        state.begin(faulty.server());
        long before = faulty.proxy().commands(state.repeated());
        CompletableFuture<Boolean> acquired = elsewhere(() -> {
            boolean granted = lock.tryLock(PATIENT);
            if (granted) {
                lock.unlock();
            }
            return granted;
        });
        eventually(() -> faulty.proxy().commands(state.repeated()) > before + 3);
        assertThat(acquired).isNotDone();

        state.end(faulty.server());

        assertThat(get(acquired)).isTrue();
    }

    /** A waiter in the queue does not fail because of it. */
    @ParameterizedTest
    @EnumSource
    void line_waits(Refusing state) {
        assumeFalse(
                state == Refusing.READONLY && faulty.server().version().startsWith("6."),
                "scripts on such a replica see a key that has expired, so the lock is busy there");
        faulty.server().command("HSET", NAME, "somebody:1", "1");
        faulty.server().command("PEXPIRE", NAME, "1500");
        List<CompletableFuture<?>> waiters = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            OwnedLock waiter = lock.ownedBy(client.newOwnerId());
            waiters.add(waiter.tryLockAsync(PATIENT).thenCompose(granted -> {
                assertThat(granted).isTrue();
                return waiter.unlockAsync();
            }));
        }
        faulty.awaitWaiting(client, 5);
        long before = faulty.proxy().commands(state.repeated());
        state.begin(faulty.server());
        eventually(() -> faulty.proxy().commands(state.repeated()) > before + 3);
        assertThat(waiters).noneMatch(CompletableFuture::isDone);

        state.end(faulty.server());

        waiters.forEach(FaultyRedis::get);
    }

    /** A call without a deadline fails after the command timeout, with Redis' reply in the message. */
    @ParameterizedTest
    @EnumSource
    void withoutDeadline_fails(Refusing state) {
        Lease held = client.getLock("another").acquire();
        state.begin(faulty.server());

        assertThatThrownBy(lock::lock)
                .isExactlyInstanceOf(LockException.class)
                .hasMessageContainingAll(NAME, "was not acquired", state.words());
        assertThatThrownBy(() -> assertThat(lock.tryLock()).isFalse())
                .isExactlyInstanceOf(LockException.class)
                .hasMessageContainingAll(NAME, "was not acquired", state.words());
        assertThatThrownBy(() -> held.extend(LONG.multipliedBy(2)))
                .isExactlyInstanceOf(LockException.class)
                .hasMessageContainingAll(
                        "another", perhaps(state, "was not extended", "may not have been extended"), state.words());
        assertThatThrownBy(lock::forceUnlock)
                .isExactlyInstanceOf(LockException.class)
                .hasMessageContainingAll(NAME, state.words());
        assertThat(held.isValid()).isTrue();
        assertThatThrownBy(held::close)
                .isInstanceOf(ReleaseUnconfirmedException.class)
                .hasMessageContainingAll(
                        "another", perhaps(state, "is not released yet", "may not be released yet"), state.words());

        state.end(faulty.server());

        eventually(() -> faulty.keys().isEmpty());
    }

    /** {@return what a message says of a command: one that Redis refused has not been executed; a replica receives none} */
    private static String perhaps(Refusing state, String refused, String notSent) {
        return state.isOfReplica() ? notSent : refused;
    }

    /** A wait that ends meanwhile fails, with Redis' last reply in the message. */
    @ParameterizedTest
    @EnumSource
    void waitIsOver_fails(Refusing state) {
        state.begin(faulty.server());
        Duration wait = FaultyRedis.COMMAND_TIMEOUT.multipliedBy(3);

        assertThatThrownBy(() -> assertThat(lock.tryLock(wait)).isFalse())
                .isExactlyInstanceOf(LockException.class)
                .hasMessageContainingAll(NAME, "was not acquired", state.words());

        state.end(faulty.server());
    }

    /** A release is executed when Redis executes commands again, and its caller does not notice. */
    @ParameterizedTest
    @EnumSource
    void release_waits(Refusing state) {
        Holdfast patient = faulty.client(builder -> builder.commandTimeout(PATIENT));
        Lease lease = patient.getLock("another").acquire();
        state.begin(faulty.server());
        long before = faulty.proxy().commands(state.repeated());
        CompletableFuture<?> released = lease.releaseAsync();
        eventually(() -> faulty.proxy().commands(state.repeated()) > before + 3);
        assertThat(released).isNotDone();

        state.end(faulty.server());

        get(released);
        assertThat(faulty.keys()).isEmpty();
    }

    /**
     * An owner that started before its handoff was executed keeps the lock, and the previous owner's release succeeds.
     */
    @ParameterizedTest
    @EnumSource
    void handoffInAChain_isRepaired(Refusing state) {
        HandoffScene scene = HandoffScene.warm(faulty, client, NAME, 2);
        faulty.commandConnection().holdRequests();
        CompletableFuture<@Nullable Void> first = scene.handOff();
        CompletableFuture<@Nullable Void> second = scene.handOff();
        state.begin(faulty.server());
        faulty.proxy().releaseRequests();
        eventually(() -> !client.isConnected());

        state.end(faulty.server());

        eventually(() -> first.isDone() && second.isDone());
        scene.awaitOwnerInRedis();
        assertThat(scene.owner().isValid()).isTrue();
        assertThat(faulty.events().lost()).isEmpty();
        scene.finish();
    }

    /** A waiter whose subscription Redis refuses subscribes later, and is woken like the others. */
    @Test
    void subscription_isMadeLater() {
        Lease held = faulty.bystander().getLock(NAME).acquire();
        Faults subscriptions = faulty.proxy().matching(connection -> connection.commands("SCRIPT") == 0);
        subscriptions.holdRequests();
        CompletableFuture<Lease> waiter = lock.acquireAsync();
        eventually(() -> client.stats().waiters() == 1);
        Refusing.BUSY.begin(faulty.server());
        long before = faulty.proxy().commands("EVALSHA");
        subscriptions.releaseRequests();
        eventually(() -> faulty.proxy().commands("EVALSHA") > before);

        Refusing.BUSY.end(faulty.server());

        faulty.awaitWaiting(client, 1);
        held.close();
        get(waiter, SOON).close();
    }

    /** The same, if the subscription was confirmed before, and its connection was lost. */
    @Test
    void subscription_isMadeAgainLater() {
        Lease held = faulty.bystander().getLock(NAME).acquire();
        CompletableFuture<Lease> waiter = lock.acquireAsync();
        faulty.awaitWaiting(client, 1);
        Refusing.BUSY.begin(faulty.server());
        long before = faulty.proxy().commands("SUBSCRIBE");
        faulty.proxy()
                .matching(connection -> connection.commands("SUBSCRIBE") > 0)
                .cutRst();
        eventually(() -> faulty.proxy().commands("SUBSCRIBE") > before);

        Refusing.BUSY.end(faulty.server());

        faulty.awaitWaiting(client, 1);
        held.close();
        get(waiter, SOON).close();
    }

    /** A connection that is opened meanwhile is used when Redis executes commands again. */
    @ParameterizedTest
    @EnumSource
    void connection_isUsedLater(Refusing state) {
        Lease held = lock.acquire();
        state.begin(faulty.server());
        faulty.proxy().cutRst();
        eventually(() -> faulty.proxy().commands("HELLO") > 0
                && !faulty.proxy().connections().isEmpty());

        state.end(faulty.server());

        eventually(client::isConnected);
        held.extend(LONG.multipliedBy(2));
        held.close();
    }
}
