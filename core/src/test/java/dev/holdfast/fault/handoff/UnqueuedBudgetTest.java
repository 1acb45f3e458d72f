package dev.holdfast.fault.handoff;

import static dev.holdfast.FaultyRedis.eventually;
import static dev.holdfast.FaultyRedis.get;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Announcements;
import dev.holdfast.Crowd;
import dev.holdfast.DistributedLock;
import dev.holdfast.FaultyRedis;
import dev.holdfast.Guarded;
import dev.holdfast.Holdfast;
import dev.holdfast.Lease;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A single thread whose client has no other waiter has a budget as well: it does not always overtake the waiters that
 * its release wakes.
 */
@Tag("fault")
class UnqueuedBudgetTest {
    private static final String NAME = "orders:42";
    private static final String CHANNEL = "redisson_lock__channel:{orders:42}";
    private static final int ROUNDS = 200;
    private static final int ACQUISITIONS = 20;

    @RegisterExtension
    final FaultyRedis faulty = new FaultyRedis();

    private final Guarded guarded = new Guarded();

    /**
     * If another client is subscribed, this client backs off when its budget is exhausted: it subscribes, and does not
     * try for a while.
     */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void otherSubscriber_backsOff(boolean awaited) {
        try (Announcements listener = Announcements.on(faulty.server(), CHANNEL)) {
            Holdfast client = faulty.client(builder -> builder.awaitReleases(awaited));
            long before = faulty.proxy().commands("SUBSCRIBE");
            Crowd single = single(client);
            eventually(() -> faulty.proxy().commands("SUBSCRIBE") > before);
            single.stop();
            assertThat(listener.untilEnd()).isNotEmpty();
        }
    }

    /** Without subscribers it never backs off. */
    @Test
    void noSubscriber_continues() {
        Holdfast client = faulty.client(builder -> builder.awaitReleases(false));
        long before = faulty.proxy().commands("SUBSCRIBE");
        Crowd single = single(client);
        eventually(() -> guarded.entered() > ROUNDS);
        single.stop();
        assertThat(faulty.proxy().commands("SUBSCRIBE")).isEqualTo(before);
        assertThat(faulty.proxy().commands("PUBSUB")).isZero();
    }

    /** Another client acquires the lock repeatedly. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void otherClient_isServed(boolean awaited) {
        Crowd single = single(faulty.client(builder -> builder.awaitReleases(awaited)));
        eventually(() -> guarded.entered() > 1);
        DistributedLock others = faulty.bystander().getLock(NAME);
        for (int i = 0; i < ACQUISITIONS; i++) {
            Lease lease = get(others.acquireAsync());
            guarded.enter();
            lease.close();
        }
        single.stop();
        guarded.assertEntered(guarded.entered());
    }

    /** Each hold belongs to a lease handle, and so to another owner: its acquire is sent right behind the release. */
    @SuppressWarnings("try") // the lease is held, not used
    private Crowd single(Holdfast client) {
        DistributedLock lock = client.getLock(NAME);
        return new Crowd(1, guarded, work -> {
            try (Lease lease = lock.acquire()) {
                work.run();
            }
        });
    }
}
