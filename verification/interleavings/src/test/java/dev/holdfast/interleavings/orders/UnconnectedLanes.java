package dev.holdfast.interleavings.orders;

import dev.holdfast.LeakTracking;
import dev.holdfast.interleavings.Standin;
import dev.holdfast.internal.hold.HoldRenewals;
import dev.holdfast.internal.hold.Holds;
import dev.holdfast.internal.kind.Kind;
import dev.holdfast.internal.kind.LockKey;
import dev.holdfast.internal.kind.PlainKind;
import dev.holdfast.internal.node.Home;
import dev.holdfast.internal.node.Homes;
import dev.holdfast.internal.session.Session;
import dev.holdfast.internal.session.Settings;
import dev.holdfast.internal.wait.WaitQueues;
import dev.holdfast.testkit.ManualTimer;
import dev.holdfast.watchdog.Deadlines;
import io.lettuce.core.RedisURI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ScheduledExecutorService;

/**
 * The parts of a client without a connection, for the interaction of their lanes. Everything is created anew for each
 * scenario, and references no thread but the scenario's: the model checker follows every reference.
 */
final class UnconnectedLanes {
    private static final RedisURI NOWHERE = RedisURI.create("redis://nowhere");

    final ManualTimer clock = new ManualTimer();
    final Deadlines deadlines = new Deadlines(clock, clock::nanoTime, Deadlines.DEFAULT_TICK);
    final Holds holds;
    final LockKey lock;

    UnconnectedLanes(Kind kind, ScheduledExecutorService pauses) {
        Duration timeout = Duration.ofSeconds(30);
        Settings settings = new Settings(
                List.of(NOWHERE),
                null,
                null,
                timeout,
                Duration.ofSeconds(3),
                Duration.ofSeconds(10),
                false,
                Duration.ofMillis(500),
                null,
                0,
                Duration.ZERO,
                Duration.ZERO,
                null,
                true,
                false,
                LeakTracking.OFF,
                Runnable::run,
                null,
                "",
                null,
                List.of());
        Session session = new Session(settings, deadlines, clock::wallMillis, pauses);
        Homes homes = Homes.fixed(Standin.of(Home.class));
        holds = new Holds(
                session,
                homes,
                new WaitQueues(session, homes)::contended,
                HoldRenewals.keeper(session, homes, Duration.ZERO, null));
        lock = new LockKey(kind, "orders:42", "");
    }

    /** Creates one whose parts send nothing and never pause. */
    UnconnectedLanes() {
        this(new PlainKind(), Standin.of(ScheduledExecutorService.class));
    }
}
