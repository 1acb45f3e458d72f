package dev.holdfast.micrometer;

import dev.holdfast.Holdfast;
import dev.holdfast.HoldfastStats;
import dev.holdfast.LockEvent;
import dev.holdfast.LockListener;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The meters of one client. It is a listener of that client, since waits and holds are timed by events; what a client
 * counts itself is read from its statistics.
 *
 * <pre>{@code
 * HoldfastMeters meters = HoldfastMeters.create();
 * Holdfast holdfast = Holdfast.builder().redisUri(uri).addListener(meters).build();
 * meters.watch(holdfast);
 * meters.bindTo(registry);
 * }</pre>
 *
 * <p>No meter has the name of a lock as a tag, since names are often made from ids, and each value of a tag is a time
 * series of its own. {@link #withLockTag} adds a tag for what the names of many locks have in common.
 *
 * <p>It can be bound to several registries. {@link #close()} removes its meters from all of them. Safe for use by
 * several threads.
 *
 * <p>A client drops events before they fill its memory if a listener is slow; this one does not block, but may share an
 * executor with what does. When events were dropped, {@code holdfast.hold.active} omits the holds that had begun, since
 * their ends may be among these; and 10,000 events later once more, since as many may have been queued.
 *
 * <p>Which meters there are is listed in the module's README.
 */
public final class HoldfastMeters implements MeterBinder, LockListener, AutoCloseable {
    private static final HoldfastStats NOTHING = HoldfastStats.of(Map.of(), Map.of());

    private final Tags tags;
    private final LockTag lockTag;
    private final boolean isTimed;
    private final List<BoundMeters> bound = new CopyOnWriteArrayList<>();
    private final MissedEvents missed = new MissedEvents();

    /** The client whose statistics are read; set once. */
    private volatile @Nullable Holdfast client;

    private HoldfastMeters(Tags tags, LockTag lockTag, boolean isTimed) {
        this.tags = tags;
        this.lockTag = lockTag;
        this.isTimed = isTimed;
    }

    /** {@return meters without further tags} */
    public static HoldfastMeters create() {
        return new HoldfastMeters(Tags.empty(), LockTag.NONE, true);
    }

    /**
     * {@return meters that have these tags as well} To be called before it is used.
     *
     * @param more for instance {@code client}, with the label of the client, if a process has several
     */
    public HoldfastMeters withTags(Tag... more) {
        return new HoldfastMeters(tags.and(more), lockTag, isTimed);
    }

    /**
     * {@return meters of which those that are about one lock have the tag {@code lock}} To be called before it is used.
     * After 100 different values, the tag is {@code other}.
     *
     * @param valueOf the value for the name of a lock; such as the part before a colon. What it throws is logged by the
     *     client, and the event is not counted; null is refused likewise
     */
    public HoldfastMeters withLockTag(UnaryOperator<String> valueOf) {
        return new HoldfastMeters(tags, new LockTag(Objects.requireNonNull(valueOf, "valueOf")), isTimed);
    }

    /**
     * {@return meters of the statistics of a client alone, which need not be its listener} To be called before it is used.
     * There is no {@code holdfast.wait}, {@code holdfast.hold} and {@code holdfast.hold.active} then.
     */
    public HoldfastMeters withoutTimers() {
        return new HoldfastMeters(tags, lockTag, false);
    }

    /**
     * Reads the statistics of this client from now on, which it refers to until it is closed.
     *
     * @throws IllegalStateException if it watches another client already
     */
    public void watch(Holdfast watched) {
        Objects.requireNonNull(watched, "watched");
        synchronized (this) {
            Holdfast known = client;
            if (known != null && known != watched) {
                throw new IllegalStateException("meters belong to one client, and were to watch a second one");
            }
            client = watched;
        }
    }

    /** Registers the meters. Those of the statistics are 0 until a client is {@linkplain #watch watched}. */
    @Override
    public void bindTo(MeterRegistry registry) {
        bound.add(new BoundMeters(registry, tags, lockTag, isTimed, this));
    }

    HoldfastStats stats() {
        Holdfast watched = client;
        return watched == null ? NOTHING : watched.stats();
    }

    boolean isConnected() {
        Holdfast watched = client;
        return watched != null && watched.isConnected();
    }

    /** Removes the meters from all registries, and refers to the client no more. A second call has no effect. */
    @Override
    public void close() {
        bound.forEach(BoundMeters::remove);
        bound.clear();
        synchronized (this) {
            client = null;
        }
    }

    /** Before each event: a hold whose end was dropped would be active for ever. */
    private void forgetMissed() {
        if (missed.mayHideEnds(stats().droppedEvents())) {
            bound.forEach(BoundMeters::forgetHolds);
        }
    }

    @Override
    public void waited(LockEvent.Waited event) {
        forgetMissed();
        bound.forEach(meters -> meters.waited(event));
    }

    @Override
    public void acquired(LockEvent.Acquired event) {
        forgetMissed();
        bound.forEach(meters -> meters.acquired(event));
    }

    @Override
    public void released(LockEvent.Released event) {
        ended(event, event.held());
    }

    @Override
    public void releaseUnconfirmed(LockEvent.ReleaseUnconfirmed event) {
        ended(event, event.held());
    }

    @Override
    public void lost(LockEvent.Lost event) {
        ended(event, event.loss().held());
    }

    private void ended(LockEvent event, Duration held) {
        forgetMissed();
        bound.forEach(meters -> meters.ended(event));
        bound.forEach(meters -> meters.held(event, held));
    }
}
