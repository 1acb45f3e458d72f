package dev.holdfast;

import dev.holdfast.internal.acquire.AcquireRequest;
import dev.holdfast.internal.acquire.Acquisition;
import dev.holdfast.internal.acquire.Acquisitions;
import dev.holdfast.internal.acquire.FutureAcquisition;
import dev.holdfast.internal.hold.HoldRenewals;
import dev.holdfast.internal.hold.Holds;
import dev.holdfast.internal.hold.LeaseRequest;
import dev.holdfast.internal.hold.LocalLocks;
import dev.holdfast.internal.hold.Ownership;
import dev.holdfast.internal.kind.Kind;
import dev.holdfast.internal.kind.LockKey;
import dev.holdfast.internal.kind.PlainKind;
import dev.holdfast.internal.node.Home;
import dev.holdfast.internal.node.Homes;
import dev.holdfast.internal.session.Session;
import dev.holdfast.internal.wait.WaitQueues;
import dev.holdfast.watchdog.Deadlines;
import io.netty.util.HashedWheelTimer;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;

/** The parts of a client without a connection, for the work that precedes the sending of a command. */
final class BenchmarkParts implements AutoCloseable {
    private final HashedWheelTimer timer = Deadlines.newTimer();
    private final Deadlines deadlines = new Deadlines(timer, System::nanoTime, Deadlines.DEFAULT_TICK);
    private final ScheduledExecutorService pauses = Executors.newSingleThreadScheduledExecutor();
    private final Kind plain = new PlainKind();
    private final Session session = new Session(
            Holdfast.builder().redisUri("redis://127.0.0.1").settings(), deadlines, System::currentTimeMillis, pauses);
    private final Homes homes = Homes.fixed((Home) Proxy.newProxyInstance(
            Home.class.getClassLoader(), new Class<?>[] {Home.class}, (proxy, method, arguments) -> {
                throw new IllegalStateException("nothing is sent");
            }));
    private final WaitQueues queues = new WaitQueues(session, homes);
    private final Holds holds =
            new Holds(session, homes, queues::contended, HoldRenewals.keeper(session, homes, Duration.ZERO, null));
    private final Acquisitions acquisitions = new Acquisitions(session, holds.locks(), queues);

    LocalLocks locks() {
        return holds.locks();
    }

    LockKey key(String name) {
        return new LockKey(plain, name, "");
    }

    /** {@return an acquisition of the lock whose caller has a future} */
    Acquisition wanted(LockKey lock, long ownerId) {
        return new FutureAcquisition<Boolean>(
                acquisitions,
                new AcquireRequest(
                        lock,
                        ownerId,
                        Ownership.OWNER_ID,
                        LeaseRequest.watched(Duration.ofSeconds(30)),
                        AcquireRequest.FOR_EVER),
                hold -> true,
                () -> false);
    }

    @Override
    public void close() {
        pauses.shutdownNow();
        deadlines.close();
        timer.stop();
    }
}
