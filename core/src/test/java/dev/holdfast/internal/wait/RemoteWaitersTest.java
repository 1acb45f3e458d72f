package dev.holdfast.internal.wait;

import static dev.holdfast.FaultyRedis.LONG;
import static dev.holdfast.FaultyRedis.eventually;
import static dev.holdfast.FaultyRedis.get;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Crowd;
import dev.holdfast.DistributedLock;
import dev.holdfast.FaultyRedis;
import dev.holdfast.Guarded;
import dev.holdfast.Holdfast;
import dev.holdfast.Lease;
import dev.holdfast.LockKinds;
import dev.holdfast.testkit.ProxiedConnection;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A client that hands a lock off counts the waiters outside the cohort, and its budget is exhausted sooner for them.
 */
class RemoteWaitersTest {
    private static final String NAME = "orders:42";
    private static final int CROWD = 4;
    private static final int ACQUISITIONS = 10;

    /**
     * For a budget of 15 ms, and the time its end takes; not for the 300 ms that apply when no other client listens.
     */
    private static final int MOST_IN_A_BUDGET = 60;

    @RegisterExtension
    final FaultyRedis faulty = new FaultyRedis();

    private final Guarded guarded = new Guarded();

    /** Redis counts this client only while its subscription is confirmed. */
    @ParameterizedTest
    @CsvSource({"0, true, 0", "1, true, 0", "2, true, 1", "0, false, 0", "1, false, 1"})
    void others(int clients, boolean confirmed, int expected) {
        assertThat(RemoteWaiters.others(clients, confirmed)).isEqualTo(expected);
    }

    /**
     * The client's subscription connection is lost and cannot be replaced: Redis no longer counts the client itself, so
     * the subscriber that it does count is another client. Both continue to acquire the lock.
     */
    @Test
    void ownSubscriptionLost_otherClientIsCounted() {
        Holdfast unsubscribed = faulty.client(builder -> builder.commandTimeout(LONG.dividedBy(4)));
        Crowd crowd = new Crowd(unsubscribed.getLock(NAME), CROWD, guarded);
        eventually(
                () -> guarded.entered() > CROWD && !faulty.server().channels().isEmpty());
        ProxiedConnection subscriptions = faulty.subscriberConnection();
        faulty.proxy().refuse();
        subscriptions.cutRst();
        eventually(() -> faulty.server().channels().isEmpty());

        passesThrough(faulty.bystander().getLock(NAME));

        faulty.proxy().accept();
        crowd.stop();
    }

    /** An owner that waits for the same name as the other kind of lock is not starved by owners of the same client. */
    @ParameterizedTest
    @EnumSource(
            value = LockKinds.class,
            names = {"PLAIN", "FENCED"})
    void otherKindOfSameClient_isServed(LockKinds contended) {
        Holdfast client = faulty.client();
        Crowd crowd = new Crowd(contended.lock(client, NAME), CROWD, guarded);
        eventually(() -> guarded.entered() > CROWD);

        passesThrough(contended.other().lock(client, NAME));

        crowd.stop();
        guarded.assertEntered(guarded.entered());
    }

    /** Acquires the lock repeatedly, each time after one budget of the crowd, which competes behind it. */
    private void passesThrough(DistributedLock lock) {
        int before = guarded.entered();
        for (int i = 0; i < ACQUISITIONS; i++) {
            Lease lease = get(lock.acquireAsync());
            guarded.enter();
            int entered = guarded.entered();
            lease.close();
            eventually(() -> guarded.entered() > entered);
        }
        assertThat(guarded.entered() - before).isLessThan(ACQUISITIONS * MOST_IN_A_BUDGET);
    }
}
