package dev.holdfast.fault.handoff;

import static dev.holdfast.FaultyRedis.eventually;

import dev.holdfast.Crowd;
import dev.holdfast.DistributedLock;
import dev.holdfast.FaultyRedis;
import dev.holdfast.Guarded;
import dev.holdfast.LockKinds;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Callers of {@code tryLock()}, which never subscribe, acquire a lock that is handed off without a pause within one
 * client.
 */
@Tag("fault")
class HandoffPollersTest {
    private static final String NAME = "orders:42";
    private static final int CROWD = 4;
    private static final int SUCCESSES = 5;

    @RegisterExtension
    final FaultyRedis faulty = new FaultyRedis();

    private final Guarded guarded = new Guarded();

    /** A poller of another client acquires it repeatedly. */
    @ParameterizedTest
    @EnumSource(LockKinds.class)
    void tryLock_ofOtherClient_succeeds(LockKinds kind) {
        succeeds(kind.lock(faulty.client(), NAME), kind.lock(faulty.bystander(), NAME));
    }

    /** A poller of the client that hands it off does too, though it never joins the queue. */
    @ParameterizedTest
    @EnumSource(LockKinds.class)
    void tryLock_ofSameClient_succeeds(LockKinds kind) {
        DistributedLock lock = kind.lock(faulty.client(), NAME);
        succeeds(lock, lock);
    }

    private void succeeds(DistributedLock contended, DistributedLock polled) {
        Crowd crowd = new Crowd(contended, CROWD, guarded);
        eventually(() -> guarded.entered() > CROWD);

        AtomicInteger successes = new AtomicInteger();
        Crowd poller = new Crowd(1, guarded, work -> {
            if (polled.tryLock()) {
                work.run();
                successes.incrementAndGet();
                polled.unlock();
            }
        });
        eventually(() -> successes.get() >= SUCCESSES);

        poller.stop();
        crowd.stop();
        guarded.assertEntered(guarded.entered());
    }
}
