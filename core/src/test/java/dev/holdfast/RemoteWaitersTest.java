package dev.holdfast;

import static dev.holdfast.BadDay.LONG;
import static dev.holdfast.BadDay.eventually;
import static dev.holdfast.BadDay.get;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.testkit.ProxiedConnection;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Whoever waits for a lock that a client hands on is counted by that client, so its turn ends for them. */
class RemoteWaitersTest {
    private static final String NAME = "orders:42";
    private static final int CROWD = 4;
    private static final int TURNS = 10;

    /** Of 15 ms, and what goes with its end; not of the 200 ms after which a turn ends that nobody is known to wait for. */
    private static final int MOST_IN_A_TURN = 60;

    @RegisterExtension
    final BadDay day = new BadDay();

    private final Guarded guarded = new Guarded();

    /** Redis counts this client only while its subscription is confirmed, and its queues as one. */
    @ParameterizedTest
    @CsvSource({
        "0, true, 0, 0",
        "1, true, 0, 0",
        "2, true, 0, 1",
        "0, false, 0, 0",
        "1, false, 0, 1",
        "1, true, 1, 1",
        "3, true, 1, 3",
        "1, false, 1, 2",
        "1, true, -1, 0"
    })
    void others(int clients, boolean confirmed, int queues, int expected) {
        assertThat(RemoteWaiters.others(clients, confirmed, queues)).isEqualTo(expected);
    }

    /**
     * The connection of the client's own subscriptions is lost and cannot be made again: Redis does not count the client
     * itself any more, and the one that it does count is another client. Both go on getting the lock.
     */
    @Test
    void ownSubscriptionLost_otherClientIsCounted() {
        Holdfast deaf = day.client(builder -> builder.commandTimeout(LONG.dividedBy(4)));
        Crowd crowd = new Crowd(deaf.getLock(NAME), CROWD, guarded);
        eventually(() -> guarded.entered() > CROWD && !day.server().channels().isEmpty());
        ProxiedConnection subscriptions = day.subscriberConnection();
        day.proxy().refuse();
        subscriptions.cutRst();
        eventually(() -> day.server().channels().isEmpty());

        passesThrough(day.bystander().getLock(NAME));

        day.proxy().accept();
        crowd.stop();
    }

    /** An owner who waits for the same name as another kind of lock is not passed over by those of the same client. */
    @ParameterizedTest
    @EnumSource(LockKinds.class)
    void otherKindOfSameClient_isCounted(LockKinds contended) {
        Holdfast client = day.client();
        Crowd crowd = new Crowd(contended.lock(client, NAME), CROWD, guarded);
        eventually(() -> guarded.entered() > CROWD);

        passesThrough(contended.other().lock(client, NAME));

        crowd.stop();
        guarded.assertEntered(guarded.entered());
    }

    /** Acquires the lock again and again, and is let in each time after one turn of the crowd, which goes on behind it. */
    private void passesThrough(DistributedLock lock) {
        int before = guarded.entered();
        for (int turn = 0; turn < TURNS; turn++) {
            Lease lease = get(lock.acquireAsync());
            guarded.enter();
            int entered = guarded.entered();
            lease.close();
            eventually(() -> guarded.entered() > entered);
        }
        assertThat(guarded.entered() - before).isLessThan(TURNS * MOST_IN_A_TURN);
    }
}
