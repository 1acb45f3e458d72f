package dev.holdfast.internal.topology;

import dev.holdfast.Holdfast;
import dev.holdfast.Inside;
import dev.holdfast.internal.kind.SynchronizerKey;
import dev.holdfast.internal.node.RedisHome;
import dev.holdfast.internal.redis.NodeAddress;
import dev.holdfast.internal.redis.RedisLink;
import dev.holdfast.internal.session.Session;
import dev.holdfast.internal.session.Settings;
import dev.holdfast.testkit.ManualTimer;
import dev.holdfast.watchdog.Deadlines;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.BiFunction;
import java.util.function.Predicate;

/** A group of nodes of which none can be connected to, on a clock that the test advances. */
final class Nodes<G extends NodeGroup> implements AutoCloseable {
    private final ScheduledExecutorService pauses = Executors.newSingleThreadScheduledExecutor();
    private final ManualTimer timer = new ManualTimer();
    private final Deadlines deadlines = new Deadlines(timer, timer::nanoTime, Deadlines.DEFAULT_TICK);
    private final Driver driver;
    private final G group;

    /** What a group of nodes is made of. */
    record Parts(Settings settings, Session session, Driver driver) {}

    Nodes(String uri, BiFunction<Parts, NodeAddress, G> of) {
        Settings settings = Inside.settings(Holdfast.builder().redisUri(uri));
        driver = new Driver(settings);
        group = of.apply(
                new Parts(settings, new Session(settings, deadlines, timer::wallMillis, pauses), driver), address(1));
        group.begin(new NoEvents());
    }

    /** {@return an address at which no server is} */
    static NodeAddress address(int port) {
        return new NodeAddress("127.0.0.1", port);
    }

    G group() {
        return group;
    }

    void pass(Duration time) {
        timer.advance(time);
    }

    @Override
    public void close() {
        group.stop();
        pauses.shutdownNow();
        deadlines.close();
        driver.close(new Shutdown());
    }

    /** No client is notified. */
    private static final class NoEvents implements Topology.Events {
        @Override
        public RedisLink.Listener of(RedisHome node) {
            return RedisLink.Listener.NONE;
        }

        @Override
        public void moved(Predicate<SynchronizerKey> locks) {}

        @Override
        public boolean holdsAny() {
            return false;
        }
    }
}
